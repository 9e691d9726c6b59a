public import Foundation
public import HTTPTypes

/// What came back from one exchange.
public struct TransportResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse

    /// The content, after decoding a `gzip` content coding; empty where there was none.
    public var body: Data

    /// Creates a response.
    public init(head: HTTPResponse, body: Data = Data()) {
        self.head = head
        self.body = body
    }
}
