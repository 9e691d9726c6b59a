import Foundation
import HTTPTypes

/// The head of one response, and what it says about the content.
///
/// RFC 9112, sections 4 to 6, without what libcurl would let pass: a `Content-Length` that repeats
/// itself differently, overflows or stands beside `Transfer-Encoding` leaves the length of the
/// content in doubt and is refused. Lines folded by obs-fold are joined by one space.
struct ResponseHead {
    /// The status and the fields.
    private(set) var message: HTTPResponse

    /// The length of the content that the head declares.
    private(set) var contentLength: Int64?

    /// Whether the content is in a transfer coding that nobody asked for, in which it would be handed
    /// over.
    private(set) var hasUnknownTransferCoding = false

    /// The field that is being read, which may go on in the next line.
    private var current: (name: HTTPField.Name, value: ArraySlice<UInt8>)?
    private var hasTransferEncoding = false
    private var contentEncodings: [String] = []

    /// Reads a head with its empty line.
    init(parsing bytes: [UInt8], limits: TransportLimits) throws(TransportError) {
        message = HTTPResponse(status: .ok)
        message.headerFields.reserveCapacity(16)
        var hasStatus = false
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Self.withoutReturns(rest[..<end])
            rest = rest[(end + 1)...]
            guard !line.contains(where: { $0 == 0 || $0 == 13 }) else {
                throw .malformedResponse("The head holds a NUL or a lone CR.")
            }
            guard let first = line.first else { break }
            if !hasStatus {
                message.status = try Self.status(from: line)
                hasStatus = true
            } else if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                try unfold(line)
            } else {
                endField()
                try readField(line, limits)
            }
        }
        endField()
        guard hasStatus else { throw .malformedResponse("The response has no status line.") }
        guard contentLength == nil || !hasTransferEncoding else {
            throw .malformedResponse("Content-Length stands beside Transfer-Encoding.")
        }
    }

    /// Whether a response of this status never has content, whatever its fields say of content that
    /// another request would have got (RFC 9112, section 6.3).
    var excludesContent: Bool { message.status.code == 204 || message.status.code == 304 }

    /// Whether so many bytes are known to be all of the content.
    func isWhole(with count: Int) -> Bool { excludesContent || contentLength == Int64(count) }

    /// The coding that `Content-Encoding` names.
    var contentCoding: ContentCoding {
        switch contentEncodings {
        case []: .identity
        case ["gzip"], ["x-gzip"]: .gzip
        default: .other
        }
    }

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
        _ line: ArraySlice<UInt8>, _ limits: TransportLimits
    ) throws(TransportError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformedResponse("A header field has no colon.")
        }
        let limit = min(limits.maximumHeaderFieldCount, Self.mostFields)
        guard message.headerFields.count < limit else {
            throw .limitExceeded("The response has more than \(limit) header fields.")
        }
        guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
            throw .malformedResponse("A header field's name holds a character not allowed there.")
        }
        let value = Self.trimmed(line[(colon + 1)...])
        try note(name, value)
        current = (name, value)
    }

    private mutating func unfold(_ line: ArraySlice<UInt8>) throws(TransportError) {
        guard let name = current?.name else {
            throw .malformedResponse("The first header field starts with a space.")
        }
        guard name != .contentLength, name != .transferEncoding, name != .contentEncoding else {
            throw .malformedResponse("The field \(name) is folded.")
        }
        let more = Self.trimmed(line)
        guard !more.isEmpty else { return }
        if current?.value.isEmpty == false { current?.value.append(UInt8(ascii: " ")) }
        current?.value.append(contentsOf: more)
    }

    /// Takes down the field whose last line has been read.
    private mutating func endField() {
        guard let (name, value) = current else { return }
        current = nil
        // Text is kept as such; what is no ASCII keeps its bytes, whatever they spell.
        message.headerFields.append(
            value.allSatisfy { $0 < 0x80 }
                ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
                : HTTPField(name: name, lenientValue: value))
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

    private mutating func note(
        _ name: HTTPField.Name, _ value: ArraySlice<UInt8>
    ) throws(TransportError) {
        switch name {
        case .contentLength: try noteContentLength(value)
        case .transferEncoding:
            hasTransferEncoding = true
            if Self.codings(value).contains(where: { $0 != "chunked" }) {
                hasUnknownTransferCoding = true
            }
        case .contentEncoding: contentEncodings += Self.codings(value)
        default: break
        }
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

/// The coding of a response's content, as far as a transport cares.
enum ContentCoding {
    /// As it is.
    case identity
    /// RFC 1952, which the transport decodes.
    case gzip
    /// Something the transport does not decode, or several codings.
    case other
}
