/// The progress of one exchange, in bytes of content as they travel.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes sent so far.
    public var sent: Int64

    /// The bytes to send in all, or nil where that is not known.
    public var expectedToSend: Int64?

    /// The bytes received so far.
    public var received: Int64

    /// The bytes to receive in all, or nil where the response does not say.
    public var expectedToReceive: Int64?

    /// Creates counts.
    public init(
        sent: Int64 = 0,
        expectedToSend: Int64? = nil,
        received: Int64 = 0,
        expectedToReceive: Int64? = nil
    ) {
        self.sent = sent
        self.expectedToSend = expectedToSend
        self.received = received
        self.expectedToReceive = expectedToReceive
    }
}
