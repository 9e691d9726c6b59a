import Foundation
import HTTPTypes

/// The answer to a request out of what is kept.
struct CacheAnswer: Sendable {
    /// The head and the content that a request gets of what is kept: all of it, a part, or none.
    struct Shape: Sendable {
        fileprivate var head: HTTPResponse
        fileprivate let content: TransportResponse.Content
        fileprivate let version: CachedResponse.Version

        /// Creates the shape; nil where what is kept does not have what is asked for.
        init?(_ kept: CachedResponse, for request: TransportRequest) {
            (head, version) = (kept.head, kept.version)
            // Whoever takes less is told so by the server's response.
            guard kept.bodyCount <= request.limits?.maximumBodySize ?? .max else { return nil }
            if request.head.method == .head {
                guard kept.part == nil else { return nil }
                content = .memory(Data())
                return
            }
            let ranges = request.head.headerFields[values: .range]
            guard !ranges.isEmpty else {
                guard kept.part == nil else { return nil }
                content = kept.content
                return
            }
            guard ranges.count == 1, let range = ByteRange(ranges[0]), kept.isPlain,
                kept.head.status.code == 200 || kept.part != nil,
                let positions = kept.positions(of: range)
            else { return nil }
            let first = kept.part?.first ?? 0
            let body = kept.body
            let start = body.startIndex + positions.lowerBound - first
            content = .memory(Data(body[start..<(start + positions.count)]))
            head.status = .partialContent
            let total = kept.total.map(String.init) ?? "*"
            head.headerFields[.contentRange] =
                "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(total)"
            head.headerFields[.contentLength] = "\(positions.count)"
        }
    }

    let response: TransportResponse
    let source: ResponseSource
    let age: Duration
    /// What it was made of, nil where that is nothing.
    let version: CachedResponse.Version?

    init(_ shape: Shape, source: ResponseSource, age: Double) {
        var head = shape.head
        // In this order no number is none.
        let seconds = max(0, min(CacheControl.mostSeconds, age))
        // What has just been confirmed is as old as the server says.
        if source != .revalidated { head.headerFields[.age] = "\(Int(seconds))" }
        response = TransportResponse(head: head, content: shape.content)
        self.source = source
        self.age = .seconds(seconds)
        version = shape.version
    }

    /// The answer to a request that is to be answered by what is kept, and is not (RFC 9111, section 5.2.1.7).
    static let gatewayTimeout = CacheAnswer(
        response: TransportResponse(head: HTTPResponse(status: .gatewayTimeout)), source: .cache,
        age: .zero)

    private init(response: TransportResponse, source: ResponseSource, age: Duration) {
        (self.response, self.source, self.age) = (response, source, age)
        version = nil
    }

    /// The response to a request.
    func response(to sent: SentRequest, _ receipt: CacheReceipt?) -> TransportResponse {
        var response = response
        response.sent = SentRequest(sent, from: source, age: age, receipt)
        return response
    }
}

extension CachedResponse {
    /// The size of the whole, where it is known.
    var total: Int? { part.map(\.total) ?? bodyCount }

    /// The positions that a range means, where all of them are here.
    fileprivate func positions(of range: ByteRange) -> Range<Int>? {
        let first = part?.first ?? 0
        let own = first..<(first + bodyCount)
        let positions: Range<Int>?
        if let total {
            positions = range.positions(in: total)
        } else if case .from(let start, let last?) = range, start < .max, last < .max {
            positions = start..<(last + 1)
        } else {
            positions = nil
        }
        return positions.flatMap {
            own.contains($0.lowerBound) && $0.upperBound <= own.upperBound ? $0 : nil
        }
    }
}

// MARK: Parts that become one

extension CachedResponse {
    /// This and a part that has come later, as one, where they are of the same whole and leave no gap
    /// (RFC 9111, section 3.4); the later one's fields count.
    func combined(with later: CachedResponse) -> CachedResponse? {
        guard let tag = strongTag, tag == later.strongTag, isPlain, later.isPlain,
            let newPart = later.part, let total = newPart.total ?? total,
            total == self.total ?? total
        else { return nil }
        let own = (part?.first ?? 0)..<((part?.first ?? 0) + bodyCount)
        let new = newPart.first..<(newPart.first + later.bodyCount)
        guard own.upperBound <= total, new.upperBound <= total, new.lowerBound <= own.upperBound,
            own.lowerBound <= new.upperBound
        else { return nil }
        var bytes = Data()
        bytes.reserveCapacity(
            max(own.upperBound, new.upperBound) - min(own.lowerBound, new.lowerBound))
        if own.lowerBound < new.lowerBound { bytes += body.prefix(new.lowerBound - own.lowerBound) }
        bytes += later.body
        if own.upperBound > new.upperBound { bytes += body.suffix(own.upperBound - new.upperBound) }
        let first = min(own.lowerBound, new.lowerBound)
        var whole = later
        whole.content = .memory(bytes)
        whole.id = 0
        let isWhole = first == 0 && bytes.count == total
        whole.part = isWhole ? nil : Part(first: first, total: total)
        whole.head.status = isWhole ? .ok : .partialContent
        whole.head.headerFields[.contentLength] = "\(bytes.count)"
        whole.head.headerFields[.contentRange] =
            isWhole ? nil : "bytes \(first)-\(first + bytes.count - 1)/\(total)"
        return whole
    }
}
