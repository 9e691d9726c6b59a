#if !canImport(Darwin)
import Foundation

/// Decodes content piece by piece, within limits on its size and on how far it grows.
///
/// libcurl would decode it too, but takes gzip that ends early for complete and has no limits; here the
/// end is checked, and what comes out is counted as it grows.
class ContentDecoder {
    private let limits: TransportLimits
    /// The decoder of the coding that the content was in before.
    private let next: ContentDecoder?
    private var received = 0
    private var decoded = 0
    /// Whether there is more to come out of what has been taken.
    private var isUnfinished = false
    /// What the next one is to decode.
    private var passed = BodyBuffer(limit: .max)

    /// Whether something that has been taken has still to come out, here or further on.
    private var isBehind: Bool { isUnfinished || passed.count > 0 || next?.isBehind == true }

    /// Whether nothing of the content is missing.
    var isAtEnd: Bool { true }

    init(within limits: TransportLimits, next: ContentDecoder?) {
        self.limits = limits
        self.next = next
    }

    /// Decodes as much of `bytes` as fits into a little room, takes that away from them, and appends what comes out to
    /// `body`; returns whether to go on, be it with the rest of them or with what is still to come out.
    func decodeOnce(
        _ bytes: inout UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(TransportError) -> Bool {
        bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.endIndex...])
        return false
    }

    /// Decodes `bytes` and appends what comes out to `body`.
    final func decode(
        _ bytes: UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(TransportError) {
        var rest = bytes
        _ = try decode(&rest, of: received + bytes.count, into: &body) { _ in true }
    }

    /// Decodes as long as there is room, and returns whether that is all of it.
    ///
    /// What has been decoded is taken away from `bytes`. Where something is left, it is called again with the rest,
    /// which may be empty.
    ///
    /// - Parameters:
    ///   - arrived: The number of bytes that have come from the server, these among them, whichever codings are
    ///     around this one: codings in codings are to make no more of them than one may.
    ///   - hasRoom: Whether `body`, to which what comes out is appended, has room for more.
    final func decode(
        _ bytes: inout UnsafeRawBufferPointer, of arrived: Int, into body: inout BodyBuffer,
        while hasRoom: (inout BodyBuffer) throws(TransportError) -> Bool
    ) throws(TransportError) -> Bool {
        // What is decoded is counted by the buffer; an endless row of empty members, only here.
        guard bytes.count <= max(limits.maximumBodySize, 0) - received else {
            throw .limitExceeded("The content exceeds \(limits.maximumBodySize) bytes.")
        }
        while true {
            guard try passOn(of: arrived, into: &body, while: hasRoom) else { return false }
            guard !bytes.isEmpty || isUnfinished else { return true }
            guard try hasRoom(&body) else { return false }
            let count = bytes.count
            if next == nil {
                isUnfinished = try decodeOnce(&bytes, into: &body)
                decoded = body.count
            } else {
                isUnfinished = try decodeOnce(&bytes, into: &passed)
                decoded += passed.count
            }
            if !isUnfinished { bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.endIndex...]) }
            received += count - bytes.count
            try checkRatio(to: arrived)
        }
    }

    /// Has the next one decode what there is for it; returns whether that is all of it.
    private func passOn(
        of arrived: Int, into body: inout BodyBuffer,
        while hasRoom: (inout BodyBuffer) throws(TransportError) -> Bool
    ) throws(TransportError) -> Bool {
        guard let next, passed.count > 0 || next.isBehind else { return true }
        var isAll = true
        try passed.drain { (part) throws(TransportError) in
            isAll = try next.decode(&part, of: arrived, into: &body, while: hasRoom)
        }
        return isAll
    }

    /// Refuses content that stopped in the middle.
    final func finish() throws(TransportError) {
        guard isAtEnd else {
            throw TransportError(.truncatedBody, "The encoded content ended before its end.")
        }
        try next?.finish()
    }

    /// The room for what comes out of so many bytes at once.
    static func room(for count: Int) -> Int { min(max(count * 4, 4096), 1 << 20) }

    static var damaged: TransportError { .malformedResponse("The encoded content is damaged.") }

    private func checkRatio(to arrived: Int) throws(TransportError) {
        let ratio = max(limits.maximumCompressionRatio, 1)
        guard decoded > 1 << 20, decoded / ratio > arrived else { return }
        throw .limitExceeded("The content decodes to more than \(ratio) times its size.")
    }
}

extension ContentCoding {
    /// Whether its decoder is there.
    private var isAvailable: Bool {
        switch self {
        case .gzip: true
        case .brotli: BrotliDecoder.isAvailable
        case .zstd: ZstdDecoder.isAvailable
        }
    }

    /// The value of `Accept-Encoding` that names what can be decoded.
    static let offered = [("gzip", gzip), ("br", brotli), ("zstd", zstd)]
        .filter { $0.1.isAvailable }.map(\.0).joined(separator: ", ")

    /// The number of codings that content may be in, one around the other.
    private static let mostNested = 5

    /// The decoder of content that codings have been applied to, in their order; nil for none.
    static func decoder(
        of codings: [ContentCoding?], limits: TransportLimits
    ) throws(TransportError) -> ContentDecoder? {
        guard codings.count <= mostNested else {
            throw .limitExceeded("The content comes in more than \(mostNested) codings.")
        }
        var decoder: ContentDecoder?
        for coding in codings {
            switch coding {
            case .gzip: decoder = try GzipDecoder(limits: limits, next: decoder)
            case .brotli: decoder = try BrotliDecoder(limits: limits, next: decoder)
            case .zstd: decoder = try ZstdDecoder(limits: limits, next: decoder)
            case nil: throw unsupported
            }
        }
        return decoder
    }

    static var unsupported: TransportError {
        TransportError(
            .unsupportedContentEncoding, "The content comes in a coding other than \(offered).")
    }
}
#endif
