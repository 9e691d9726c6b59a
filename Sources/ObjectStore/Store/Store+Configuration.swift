public import Foundation
import LarderPromises

extension Store {
    /// The settings that a store is opened with; each has a default that suits most apps.
    public struct Configuration: Sendable {
        /// The time that a call waits for one transaction of another thread or process, before it
        /// fails with `StoreError.Reason.busy`; five seconds unless set.
        ///
        /// In a process each transaction that ends lets the others wait once more; calls that don't
        /// block a thread (promises, `async`) wait for those of their process as long as it takes.
        /// Another process, or another store on the same file, waits in no order: it looks every
        /// millisecond whether the file is free, which a store that makes one transaction after the
        /// other leaves it five times a second.
        public var busyTimeout: Duration = .seconds(5)

        /// The number of threads that can read at the same time, at least 1; four unless set.
        public var readerCount = 4

        /// Whether a transaction that has been committed is there even after a loss of power; false
        /// unless set.
        ///
        /// The end of the process, however it comes, takes nothing back in any case. A loss of power
        /// may take back the transactions of the last moments unless this is set, but always whole
        /// ones and the last ones first. With it each transaction waits for the disk.
        public var survivesPowerLoss = false

        /// The size of JSON, in bytes, from which on an import looks up no links by SQLite.
        var uncheckedImportSize = 256 * 1024

        /// The shortcuts that importing JSON takes instead of asking the store.
        var shortcuts = MapperShortcuts.all

        /// The options for migrating a store that was written with another model.
        public var migration = MigrationOptions()

        /// The interval at which a store that is observed looks whether another process has
        /// committed something; one second unless set, ten milliseconds at least.
        public var externalChangeInterval: Duration = .seconds(1)

        /// The moment at which what is imported was fetched, unless whoever imports knows better.
        var now: @Sendable () -> Date = { Date() }

        /// The clock that measures the interval.
        var clock: any Clock<Duration> = ContinuousClock()

        /// A store that is shipped with the app.
        ///
        /// It is copied to where the store is to be when there is nothing yet, and migrated where it
        /// was made with another model. A seed may be read-only, or a store that is open.
        public var seed: URL?

        /// The most bytes that the file may have, its log not counted.
        ///
        /// Writing more fails with `StoreError.Reason.full`; only a migration, which writes tables anew,
        /// may take it further. What a client keeps there of responses, as its cache and by its fetch
        /// policies, takes an eighth of it each at most, and gives way to what it imports. As large as the
        /// disk allows unless set.
        public var maximumSize: Int?

        /// The rules for what `evict` deletes; none unless set.
        public var evictions: [Eviction] = []

        /// The policy for a damaged store; it is refused unless set.
        public var damagePolicy = DamagePolicy.refuse

        /// The transformers that the model knows by their names alone; none unless set.
        public var transformers: [Transformer] = []

        /// The transformers of whole objects that the model knows by their names alone; none unless
        /// set.
        public var objectTransformers: [ObjectTransformer] = []

        /// The defaults.
        public init() {}
    }

    /// A policy for opening a damaged store.
    public enum DamagePolicy: Sendable {
        /// Fails with `StoreError.Reason.damaged` or `notADatabase`; the file is untouched.
        case refuse
        /// Does what `Store.rebuild` does, and reports it; where that fails, so does opening.
        case rebuild(@Sendable (RebuildReport) -> Void)
    }
}

extension Store.Configuration {
    /// The wait for a lock in milliseconds, as SQLite takes it.
    var busyMilliseconds: Int32 { Int32(busyTimeout.wholeMilliseconds) }
}

extension Store {
    /// Throws where objects of another store are asked for here: their rows are others in this one.
    func check(isHomeOf other: Store, _ entity: String) throws(StoreError) {
        try plan.check(isOf: other, entity)
    }
}

extension StorePlan {
    /// Throws where objects are not of the store that has this plan.
    func check(isOf store: Store, _ entity: String) throws(StoreError) {
        guard store.plan !== self else { return }
        throw StoreError(
            .otherStore,
            "an object of \(entity) was read from another store; One(id:) names the one in this store"
        )
    }
}
