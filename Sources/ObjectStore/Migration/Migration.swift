/// A step that an app takes itself when a store goes from one version of the app's model to
/// another.
///
/// Steps run in the migration's transaction, in the order of their versions; what else differs
/// between the models migrates by itself. Where one throws, the store is as it was.
///
/// A store takes each step that begins at its version or a later one, up to the app's, and then those
/// that begin where it has come to, or later: between two steps it needs none where the models
/// migrate by themselves. Of steps from 0 to 1, from 0 to 2 and from 1 to 2 it takes the first and
/// the last.
public struct Migration: Sendable {
    /// The latest version that a store may have, or have reached, for the step to be taken.
    public let from: Int
    /// The version that the store has reached afterwards.
    public let to: Int
    /// The parts that the step takes care of, so that they do not count as lost by a migration in
    /// which the step is taken.
    public let resolved: Set<ModelPart>
    let body: @Sendable (MigrationContext) throws -> Void

    /// Describes a step.
    ///
    /// - Parameters:
    ///   - resolved: What the step takes care of, such as an attribute whose values it moves
    ///     elsewhere.
    ///   - body: What is done; see `MigrationContext`.
    public init(
        from: Int, to: Int, resolving resolved: Set<ModelPart> = [],
        _ body: @escaping @Sendable (MigrationContext) throws -> Void
    ) {
        self.from = from
        self.to = to
        self.resolved = resolved
        self.body = body
    }
}
