extension ResponseCache {
    /// The bounds on what a cache keeps, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The most that is kept in memory.
        public var maximumMemorySize: Int
        /// The most that is kept in the store's file, and in the files beside it.
        ///
        /// In the store's file it is an eighth of its `Store.Configuration.maximumSize` at most.
        public var maximumFileSize: Int
        /// The most that one response may take.
        public var maximumResponseSize: Int
        /// The most content that is kept in the store's file.
        ///
        /// More has a file of its own, in the folder beside it whose name ends in `-responses`. So has more than a
        /// 64th of the store's `maximumSize`.
        public var maximumRowSize: Int

        /// Creates limits.
        public init(
            maximumMemorySize: Int = 8 << 20, maximumFileSize: Int = 64 << 20,
            maximumResponseSize: Int = 8 << 20, maximumRowSize: Int = 64 << 10
        ) {
            self.maximumMemorySize = maximumMemorySize
            self.maximumFileSize = maximumFileSize
            self.maximumResponseSize = maximumResponseSize
            self.maximumRowSize = maximumRowSize
        }
    }
}
