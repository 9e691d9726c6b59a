/// The limits on the size of a response; beyond any but ``maximumMemory`` its transfer is given up.
///
/// `.max` is no limit; a limit below zero counts as zero.
public struct TransportLimits: Sendable, Hashable {
    /// The most bytes of content, counted before and after decoding; 256 MiB unless set.
    public var maximumBodySize: Int

    /// The most bytes of content that are kept in memory; 8 MiB unless set.
    ///
    /// Larger content goes to a temporary file without a name, in `TMPDIR`, which takes as much
    /// room there as it weighs decoded, until the response is no longer used.
    public var maximumMemory: Int

    /// The most bytes in all header and trailer fields, interim responses included; 256 KiB unless
    /// set.
    ///
    /// libcurl takes no line above 100 KB, and releases from 8.3 on no more than 300 KB in all; that
    /// is the same error.
    public var maximumHeaderSize: Int

    /// The most header fields in one response; 256 unless set, and 65,534 whatever is set.
    public var maximumHeaderFieldCount: Int

    /// The largest ratio of a decoded body's size to the size received; 300 unless set.
    ///
    /// It is enforced above 1 MiB of decoded content only, as short runs compress without bounds, and is one for
    /// all codings that are in one another. A ratio below 1 counts as 1.
    public var maximumCompressionRatio: Int

    /// Creates limits.
    public init(
        maximumBodySize: Int = 256 << 20,
        maximumMemory: Int = 8 << 20,
        maximumHeaderSize: Int = 256 << 10,
        maximumHeaderFieldCount: Int = 256,
        maximumCompressionRatio: Int = 300
    ) {
        self.maximumBodySize = maximumBodySize
        self.maximumMemory = maximumMemory
        self.maximumHeaderSize = maximumHeaderSize
        self.maximumHeaderFieldCount = maximumHeaderFieldCount
        self.maximumCompressionRatio = maximumCompressionRatio
    }
}
