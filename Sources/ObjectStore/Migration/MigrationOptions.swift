public import Foundation

/// The options for bringing a store that was written with another model to the app's.
public struct MigrationOptions: Sendable {
    /// The losses that a migration may cause.
    public struct AllowedLosses: Sendable, ExpressibleByArrayLiteral {
        private let parts: Set<ModelPart>?

        /// Anything that the new model has no place for.
        public static let all = AllowedLosses(parts: nil)

        private init(parts: Set<ModelPart>?) { self.parts = parts }

        /// Allows losses of these parts; an entity stands for its properties and the relationships
        /// that lead to it.
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
    public var patience: Duration = .seconds(60)

    /// The defaults: all that loses nothing migrates by itself.
    public init() {}
}
