import Foundation
import HTTPTypes

/// The head of one response, and what it says about the content.
///
/// RFC 9112, sections 4 to 6, without what libcurl would let pass: a `Content-Length` that repeats
/// itself differently, overflows or stands beside `Transfer-Encoding` leaves the length of the
/// content in doubt and is refused. Lines folded by obs-fold are joined by one space.
struct ResponseHead {
    /// The status and the fields.
    var message: HTTPResponse

    /// The code of its status, which takes some work to get at in the message.
    private(set) var statusCode = 200

    /// The length of the content that the head declares.
    var contentLength: Int64?

    /// Whether the content is in a transfer coding that nobody asked for, in which it would be handed
    /// over.
    private(set) var hasUnknownTransferCoding = false

    /// The line of each field that has been read, by which the next head is read that is much like this one.
    var lines: [FieldLine] = []

    /// The value of the field that came last, where it goes on in further lines.
    private var folded: ArraySlice<UInt8>?
    private var hasTransferEncoding = false
    private var contentEncodings: [String] = []

    /// Reads a head with its empty line.
    ///
    /// - Parameter last: The head that was read last, which is taken over where this one is much like it.
    init(
        parsing bytes: [UInt8], limits: TransportLimits,
        like last: ReadHead? = nil
    ) throws(TransportError) {
        if let last, let head = Self(changing: last, to: bytes, limits) {
            self = head
            return
        }
        message = HTTPResponse(status: .ok)
        message.headerFields.reserveCapacity(16)
        lines.reserveCapacity(16)
        var hasStatus = false
        var start = 0
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            let line = Self.withoutReturns(bytes[start..<end])
            guard !line.contains(where: { $0 == 0 || $0 == 13 }) else {
                throw .malformedResponse("The head holds a NUL or a lone CR.")
            }
            guard let first = line.first else { break }
            if !hasStatus {
                message.status = try Self.status(from: line)
                statusCode = message.status.code
                hasStatus = true
            } else if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                try unfold(line)
            } else {
                try readField(line, endingAt: end + 1, limits)
            }
            start = end + 1
        }
        endFolding()
        guard hasStatus else { throw .malformedResponse("The response has no status line.") }
        guard contentLength == nil || !hasTransferEncoding else {
            throw .malformedResponse("Content-Length stands beside Transfer-Encoding.")
        }
    }

    /// Whether a response of this status never has content, whatever its fields say of content that
    /// another request would have got (RFC 9112, section 6.3).
    var excludesContent: Bool { statusCode == 204 || statusCode == 304 }

    /// Whether so many bytes are known to be all of the content.
    func isWhole(with count: Int) -> Bool { excludesContent || contentLength == Int64(count) }

    /// The codings that `Content-Encoding` names, in the order in which they were applied; nil for one that is
    /// unknown.
    var contentCodings: [ContentCoding?] { contentEncodings.map(ContentCoding.init(named:)) }

    // MARK: - Lines

    private static func status(
        from line: ArraySlice<UInt8>
    ) throws(TransportError) -> HTTPResponse.Status {
        guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: UInt8(ascii: " "))
        else {
            throw .malformedResponse("The response has no status line.")
        }
        let rest = line[(space + 1)...].drop { $0 == UInt8(ascii: " ") }
        let reason = rest.dropFirst(3)
        guard let code = number(rest.prefix(3)), rest.count >= 3, code >= 100,
            reason.first ?? 32 == UInt8(ascii: " ")
        else {
            throw .malformedResponse("The status is not a number of three digits from 100.")
        }
        return HTTPResponse.Status(
            code: Int(code), reasonPhrase: String(decoding: reason.dropFirst(), as: UTF8.self))
    }

    /// `HTTPFields` ends the process at more.
    private static let mostFields = Int(UInt16.max) - 1

    private mutating func readField(
        _ line: ArraySlice<UInt8>, endingAt end: Int, _ limits: TransportLimits
    ) throws(TransportError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformedResponse("A header field has no colon.")
        }
        endFolding()
        try checkCount(limits)
        let name = try Self.name(line[..<colon])
        let value = Self.trimmed(line[(colon + 1)...])
        let saysHowToRead = try note(name, value)
        lines.append(
            FieldLine(
                range: line.startIndex..<end, nameCount: colon - line.startIndex,
                saysHowToRead: saysHowToRead))
        message.headerFields.append(Self.field(name, value))
    }

    private static func name(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> HTTPField.Name {
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else {
            throw .malformedResponse("A header field's name holds a character not allowed there.")
        }
        return name
    }

    private static func field(_ name: HTTPField.Name, _ value: ArraySlice<UInt8>) -> HTTPField {
        // Text is kept as such; what is no ASCII keeps its bytes, whatever they spell.
        value.allSatisfy { $0 < 0x80 }
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
            : HTTPField(name: name, lenientValue: value)
    }

    private func checkCount(_ limits: TransportLimits) throws(TransportError) {
        let limit = min(limits.maximumHeaderFieldCount, Self.mostFields)
        guard message.headerFields.count < limit else {
            throw .limitExceeded("The response has more than \(limit) header fields.")
        }
    }

    /// Refuses the first byte of the first field where it makes it the rest of a field before it.
    static func checkFirst(_ byte: UInt8) throws(TransportError) {
        guard byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") else {
            throw .foldedFirstField
        }
    }

    /// Puts a line behind the field that came last.
    private mutating func unfold(_ line: ArraySlice<UInt8>) throws(TransportError) {
        guard let last = message.headerFields.last else { throw .foldedFirstField }
        let name = last.name
        guard name != .contentLength, name != .transferEncoding, name != .contentEncoding else {
            throw .malformedResponse("The field \(name) is folded.")
        }
        // Of several lines, it is read anew each time.
        lines[lines.count - 1] = .none
        let more = Self.trimmed(line)
        guard !more.isEmpty else { return }
        // In one piece, however many lines it has.
        var value = folded.take() ?? last.withUnsafeBytesOfValue { Array($0) }[...]
        if !value.isEmpty { value.append(UInt8(ascii: " ")) }
        value.append(contentsOf: more)
        folded = value
    }

    /// Takes down the value of a field that has several lines.
    private mutating func endFolding() {
        guard let value = folded.take() else { return }
        let last = message.headerFields.count - 1
        message.headerFields[last] = Self.field(message.headerFields[last].name, value)
    }

    private static func withoutReturns(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.lastIndex { $0 != 13 }.map { line[...$0] } ?? []
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let start = value.firstIndex(where: { !isBlank($0) }),
            let end = value.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return value[start...end]
    }

    // MARK: - Fields that say how to read the content

    /// Takes down what a field says about the content, and returns whether it may say something.
    @discardableResult
    private mutating func note(
        _ name: HTTPField.Name, _ value: ArraySlice<UInt8>
    ) throws(TransportError) -> Bool {
        switch name {
        case .contentLength: try noteContentLength(value)
        case .transferEncoding:
            hasTransferEncoding = true
            if Self.codings(value).contains(where: { $0 != "chunked" }) {
                hasUnknownTransferCoding = true
            }
        case .contentEncoding: contentEncodings += Self.codings(value)
        default: return false
        }
        return true
    }

    /// The codings that a field names, without those that change nothing.
    private static func codings(_ value: ArraySlice<UInt8>) -> [String] {
        String(decoding: value, as: UTF8.self).lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0 != "identity" && !$0.isEmpty }
    }

    private mutating func noteContentLength(_ value: ArraySlice<UInt8>) throws(TransportError) {
        guard let length = Self.number(value) else {
            throw .malformedResponse("Content-Length is not a number that fits in 63 bits.")
        }
        guard contentLength == nil || contentLength == length else {
            throw .malformedResponse("Two Content-Length fields differ.")
        }
        contentLength = length
    }

    /// The number that the digits make, or nil if they are none, or too many.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}

extension TransportError {
    static var foldedFirstField: Self {
        .malformedResponse("The first header field starts with a space.")
    }
}

extension ResponseHead {
    /// The line of a field in the bytes of a head.
    struct FieldLine {
        /// The line of a field that has several.
        static let none = FieldLine(range: 0..<0, nameCount: 0, saysHowToRead: false)

        /// Its bytes, with the line break.
        let range: Range<Int>
        /// The number of bytes before the colon.
        let nameCount: Int
        /// Whether it says something about the content.
        let saysHowToRead: Bool

        init(range: Range<Int>, nameCount: Int, saysHowToRead: Bool) {
            (self.range, self.nameCount, self.saysHowToRead) = (range, nameCount, saysHowToRead)
        }

        /// Creates the same line at another place.
        init(range: Range<Int>, _ other: FieldLine) {
            self.init(
                range: range, nameCount: other.nameCount, saysHowToRead: other.saysHowToRead)
        }
    }
}

extension ResponseHead {
    /// Throws where a write that had been sent again was refused on its condition: the first sending may be what
    /// the condition is not met by.
    func checkCondition(of request: TransportRequest) throws(TransportError) {
        // What is not idempotent goes out again only where the server has not looked at it.
        guard request.isWrite, request.isIdempotent,
            statusCode == 412
        else { return }
        throw TransportError(
            .connectionLost,
            "The connection ended before the response had begun; sent again, the request was refused on its "
                + "condition, though the server may have acted on it before.")
    }
}

/// A head that has been read, in its bytes and as what they are.
final class ReadHead {
    let bytes: [UInt8]
    let head: ResponseHead

    init(_ bytes: [UInt8], _ head: ResponseHead) {
        (self.bytes, self.head) = (bytes, head)
    }

    /// Whether a line stands at a place of its bytes.
    func has(_ line: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        guard line.count <= bytes.count - place, let start = line.baseAddress else { return false }
        return bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0 + place, start, line.count) == 0 } ?? false
        }
    }
}
