public import Foundation

/// A step that an app takes itself when a store goes from one version of the app's model to
/// another.
///
/// Steps run in the migration's transaction, in the order of their versions; what else differs
/// between the models migrates by itself. Where one throws, the store is as it was.
///
/// A store takes steps that begin at its version or a later one, each where the one before has led, or
/// as soon behind that as there is one: between two steps it needs none where the models migrate by
/// themselves. Of several that begin at one version it takes those that lead through most versions up to the
/// app's, and of these the fewest: of steps from 0 to 1, from 0 to 2 and from 1 to 2 the second, and the last if it is at 1.
/// Steps between the same two versions are taken together.
///
/// Each sees the store's model and the app's, whatever its versions: there is none in between.
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
    ///     elsewhere. Objects that would go by a new identity must be there behind the steps, in the same number,
    ///     and those of an entity that has become abstract be of another: else they count as lost.
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

/// The options for bringing a store that was written with another model to the app's.
public struct MigrationOptions: Sendable {
    /// The losses that a migration may cause.
    public struct AllowedLosses: Sendable, ExpressibleByArrayLiteral {
        private let parts: Set<ModelPart>?

        /// Anything that the new model has no place for.
        public static let all = AllowedLosses(parts: nil)

        private init(parts: Set<ModelPart>?) { self.parts = parts }

        /// Allows losses of these parts, for all reasons; an entity stands for its properties and the
        /// relationships that lead to it.
        public init(arrayLiteral parts: ModelPart...) { self.init(parts: Set(parts)) }

        /// Allows losses of these parts.
        public init(_ parts: some Sequence<ModelPart>) { self.init(parts: Set(parts)) }

        func allows(_ part: ModelPart, destination: String?) -> Bool {
            guard let parts else { return true }
            return parts.contains(part) || parts.contains(.entity(part.entityName))
                || destination.map { parts.contains(.entity($0)) } ?? false
        }
    }

    /// The place for a copy of the store before a migration.
    public enum Backup: Hashable, Sendable {
        /// No copy is made.
        case none
        /// Beside the store, named after it with `.backup-` and the time (UTC); gone again where the
        /// migration fails, which changes nothing.
        case beside
        /// A file, which is replaced if it is there.
        case file(URL)
    }

    /// The version of the app's model, to be raised where steps of the app's own are to run; a
    /// store of a higher version is refused.
    public var version = 0
    /// The app's own steps.
    public var steps: [Migration] = []
    /// The losses that are allowed; none unless set.
    public var allowedLosses: AllowedLosses = []
    /// The place for a copy of the store before it is migrated; none is made unless set.
    public var backup = Backup.none
    /// Called with the progress, on the thread that opens the store.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// The time that opening waits while another process migrates the store; a minute unless set.
    public var waitTimeout: Duration = .seconds(60)

    /// The defaults: all that loses nothing migrates by itself.
    public init() {}
}

/// The progress of a migration, in rows.
public struct MigrationProgress: Hashable, Sendable {
    /// The entity whose objects, or links, are being copied.
    public let entity: String
    /// The number of rows that have been copied so far, of all tables.
    public let completed: Int
    /// The number of rows to copy.
    public let total: Int
}
