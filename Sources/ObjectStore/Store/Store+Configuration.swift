public import Foundation
import LarderPromises

extension Store {
    /// How a store is opened; each part has a default that suits most apps.
    public struct Configuration: Sendable {
        /// How long a call waits for one transaction of another thread or process, before it fails
        /// with `StoreError.Code.busy`; five seconds unless set.
        ///
        /// In a process each transaction that ends lets the others wait once more; calls that don't
        /// block a thread (promises, `async`) wait for those of their process as long as it takes.
        public var busyTimeout: Duration = .seconds(5)

        /// How many threads can read at the same time, at least 1; four unless set.
        public var readerCount = 4

        /// Whether a transaction that has been committed is there even after a loss of power; false
        /// unless set.
        ///
        /// The end of the process, however it comes, takes nothing back in any case. A loss of power
        /// may take back the transactions of the last moments unless this is set, but always whole
        /// ones and the last ones first. With it each transaction waits for the disk.
        public var survivesPowerLoss = false

        /// From how many bytes of JSON on links are not looked up by SQLite on import.
        var uncheckedImportSize = 256 * 1024

        /// What importing JSON takes for granted instead of asking the store.
        var shortcuts = MapperShortcuts.all

        /// How a store that was written with another model is brought to this one.
        public var migration = MigrationOptions()

        /// How often a store that is observed looks whether another process has committed
        /// something; each second unless set.
        public var foreignCommitInterval: Duration = .seconds(1)

        /// What the interval is measured by.
        var clock: any Clock<Duration> = ContinuousClock()

        /// A store that is shipped with the app.
        ///
        /// It is copied to where the store is to be when there is nothing yet, and migrated where it
        /// was made with another model. A seed may be read-only.
        public var seed: URL?

        /// How large the file may become, in bytes, its log not counted.
        ///
        /// Writing more fails with `StoreError.Code.full`; only a migration, which writes tables anew,
        /// may take it further. As large as the disk allows unless set.
        public var maximumSize: Int?

        /// What `evict` deletes; nothing unless set.
        public var evictions: [Eviction] = []

        /// What is done about a damaged store; nothing unless set.
        public var damagePolicy = DamagePolicy.refuse

        /// The transformers that the model knows by their names alone; none unless set.
        public var transformers: [Transformer] = []

        /// The transformers of whole objects that the model knows by their names alone; none unless
        /// set.
        public var objectTransformers: [ObjectTransformer] = []

        /// The defaults.
        public init() {}
    }

    /// What opening a damaged store does.
    public enum DamagePolicy: Sendable {
        /// Fails with `StoreError.Code.damaged` or `notADatabase`; the file is untouched.
        case refuse
        /// Does what `Store.rebuild` does, and reports it.
        case rebuild(@Sendable (RebuildReport) -> Void)
    }
}

extension Store.Configuration {
    /// The wait for a lock in milliseconds, as SQLite takes it.
    var busyMilliseconds: Int32 { Int32(busyTimeout.wholeMilliseconds) }
}
