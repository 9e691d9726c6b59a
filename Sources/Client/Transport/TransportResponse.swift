public import Foundation
public import HTTPTypes
import LarderObjectStore

/// The response of one exchange, with all of its content.
public struct TransportResponse: Sendable {
    /// The bytes of the content, in memory or in a file.
    enum Content: Sendable {
        case memory(Data)
        case file(MappedFile)
        /// In a file of the app's, which others know of.
        case written(count: Int)
        /// Still to come.
        case streamed(ContentStream)

        var data: Data {
            switch self {
            case .memory(let data): data
            case .file(let file): file.data
            case .written, .streamed: Data()
            }
        }

        /// The bytes, unless they are in a file of the app's, or still to come.
        var unwritten: Data? {
            switch self {
            case .memory, .file: data
            case .written, .streamed: nil
            }
        }

        /// What is still to come, where it is read as it comes.
        var stream: ContentStream? {
            if case .streamed(let stream) = self { stream } else { nil }
        }
    }

    /// Times out of line, so that a response without any stays small.
    private final class Times: Sendable {
        let timings: RequestTimings?
        let total: Duration?

        init?(_ timings: RequestTimings?, total: Duration?) {
            if timings == nil, total == nil { return nil }
            (self.timings, self.total) = (timings, total)
        }
    }

    /// The status and the header fields.
    public var head: HTTPResponse

    var content: Content

    /// The content, after decoding the codings it came in; empty where there was none, and where it was
    /// downloaded to a file or is read as it comes.
    ///
    /// Content above ``TransportLimits/maximumMemory`` is mapped from a temporary file: its bytes are
    /// read from the disk as they are looked at. What is put here instead is in memory; nothing takes the place of
    /// content that is not seen here.
    public var body: Data {
        get { content.data }
        set { if !newValue.isEmpty || content.unwritten != nil { content = .memory(newValue) } }
    }

    /// The times that the exchange took, where somebody observes the request and the transport knows them.
    public var timings: RequestTimings? {
        get { times?.timings }
        set { times = Times(newValue, total: totalTime) }
    }

    /// The time from when the transport began with the exchange, without a wait for that, where it tells; of what
    /// something may follow, such as a redirect.
    var totalTime: Duration? {
        get { times?.total }
        set { times = Times(timings, total: newValue) }
    }

    private var times: Times?

    /// The request that it answers, where interceptors may have changed that.
    var sent: SentRequest?

    /// The URLs that led to the one that it answers for, the first first.
    var redirects: [String] { sent?.redirects ?? [] }

    /// Where it comes from: the server, unless the client's ``ResponseCache`` had it.
    public var source: ResponseSource { sent?.source ?? .network }

    /// The time since the server made or confirmed it, where it comes from a cache.
    public var age: Duration? { sent?.age }

    /// Creates a response.
    public init(head: HTTPResponse, body: Data = Data()) {
        self.init(head: head, content: .memory(body))
    }

    /// - Parameter start: When the transport began with the exchange.
    init(
        head: HTTPResponse, content: Content, timings: RequestTimings? = nil,
        since start: ContinuousClock.Instant? = nil
    ) {
        self.head = head
        self.content = content
        let isLast = head.status.kind == .successful
        guard !isLast || timings != nil else { return }
        times = Times(timings, total: isLast ? nil : start.map { ContinuousClock.now - $0 })
    }

    /// The number of bytes of the content.
    var bodyCount: Int {
        switch content {
        case .memory(let data): data.count
        case .file(let file): file.count
        case .written(let count): count
        case .streamed: 0
        }
    }
}

extension TransportResponse {
    /// Whether its content type is that of one JSON text (RFC 6839, section 3.1); nil where it has none.
    var claimsJSON: Bool? {
        head.headerFields[.contentType].map { MediaRange($0).isJSON }
    }
}

// Here, as a linker leaves out a file of a static library that has conformances alone.
extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// One line: the status, the header fields and the size of the content, without what the usual
    /// ``Redaction`` names.
    public var description: String { redacted }

    /// The description.
    public var debugDescription: String { description }

    /// The description alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}
