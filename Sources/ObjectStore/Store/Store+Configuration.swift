import LarderPromises

extension Store {
    /// How a store is opened; each part has a default that suits most apps.
    public struct Configuration: Sendable {
        /// How long a transaction waits for another process's lock before it fails with
        /// `StoreError.Code.busy`; five seconds unless set.
        public var busyTimeout: Duration = .seconds(5)

        /// How many threads can read at the same time, at least 1; four unless set.
        public var readerCount = 4

        /// From how many bytes of JSON on links are not looked up by SQLite on import.
        var uncheckedImportSize = 256 * 1024

        /// How a store that was written with another model is brought to this one.
        public var migration = MigrationOptions()

        /// How often a store that is observed looks whether another process has committed
        /// something; each second unless set.
        public var foreignCommitInterval: Duration = .seconds(1)

        /// What the interval is measured by.
        var clock: any Clock<Duration> = ContinuousClock()

        /// The defaults.
        public init() {}
    }
}

extension Store.Configuration {
    /// The wait for a lock in milliseconds, as SQLite takes it.
    var busyMilliseconds: Int32 { Int32(busyTimeout.wholeMilliseconds) }
}
