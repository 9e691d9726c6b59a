import Foundation
import HTTPTypes

/// Reads the head of a response line by line, and refuses what libcurl would let pass.
///
/// RFC 9112, sections 4 to 6: one final head after any number of interim ones; a `Content-Length`
/// that repeats itself differently, overflows or stands beside `Transfer-Encoding` leaves the length
/// of the content in doubt and is refused. Lines folded by obs-fold are joined by one space.
struct ResponseHeadReader {
    private let limits: TransportLimits
    private var bytesRead = 0
    private var status: HTTPResponse.Status?
    private var fields = HTTPFields()
    private var contentLengthText: [UInt8]?
    private var hasTransferEncoding = false
    private var contentEncodings: [String] = []

    /// Whether the empty line that ends the final head has been read.
    private(set) var isComplete = false

    /// The length of the content that the head declares.
    private(set) var contentLength: Int64?

    init(limits: TransportLimits) {
        self.limits = limits
    }

    /// The status and the fields, once the head is complete.
    var head: HTTPResponse? {
        guard isComplete, let status else { return nil }
        return HTTPResponse(status: status, headerFields: fields)
    }

    /// The content codings, in the order in which they were applied.
    var contentCoding: ContentCoding {
        switch contentEncodings {
        case []: .identity
        case ["gzip"], ["x-gzip"]: .gzip
        default: .other
        }
    }

    /// Takes one line, with or without the line break at its end.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        bytesRead += line.count
        guard bytesRead <= limits.headerBytes else {
            throw .limitExceeded("The header fields exceed \(limits.headerBytes) bytes.")
        }
        guard !isComplete else { return }  // a trailer field
        var line = line
        while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            line = UnsafeBufferPointer(rebasing: line.dropLast())
        }
        guard !line.contains(where: { $0 == 0 || $0 == 13 }) else {
            throw .malformedResponse("The head holds a NUL or a lone CR.")
        }
        if line.isEmpty {
            try finish()
        } else if status == nil {
            status = try Self.status(from: line)
        } else if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
            try unfold(line)
        } else {
            try readField(line)
        }
    }

    // MARK: - Lines

    private mutating func finish() throws(TransportError) {
        guard let status else {
            throw .malformedResponse("The response has no status line.")
        }
        if status.code == 101 {
            throw .malformedResponse("The server switched protocols unasked.")
        }
        guard status.code < 200 else {
            if hasTransferEncoding && contentLengthText != nil {
                throw .malformedResponse("Content-Length stands beside Transfer-Encoding.")
            }
            isComplete = true
            return
        }
        // An interim response: the final one starts over, with the bytes counted so far.
        let bytesRead = bytesRead
        self = ResponseHeadReader(limits: limits)
        self.bytesRead = bytesRead
    }

    private static func status(
        from line: UnsafeBufferPointer<UInt8>
    ) throws(TransportError) -> HTTPResponse.Status {
        guard line.starts(with: "HTTP/".utf8),
            let space = line.firstIndex(of: UInt8(ascii: " "))
        else {
            throw .malformedResponse("The response has no status line.")
        }
        let rest = line[(space + 1)...].drop { $0 == UInt8(ascii: " ") }
        let digits = rest.prefix(3)
        var code = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else {
                throw .malformedResponse("The status is not a number.")
            }
            code = code * 10 + Int(digit - UInt8(ascii: "0"))
        }
        let reason = rest.dropFirst(3)
        guard digits.count == 3, code >= 100, reason.first ?? 32 == UInt8(ascii: " ") else {
            throw .malformedResponse("The status is not a number of three digits from 100.")
        }
        if code == 200, reason.count == 3 { return .ok }
        return HTTPResponse.Status(
            code: code, reasonPhrase: String(decoding: reason.dropFirst(), as: UTF8.self))
    }

    private mutating func readField(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformedResponse("A header field has no colon.")
        }
        guard fields.count < limits.headerFields else {
            throw .limitExceeded("The response has more than \(limits.headerFields) header fields.")
        }
        let text = String(decoding: line[..<colon], as: UTF8.self)
        guard let name = HTTPField.Name(text) else {
            throw .malformedResponse("A header field's name holds a character not allowed there.")
        }
        let value = Self.trimmed(line[(colon + 1)...])
        try note(name, value)
        fields.append(HTTPField(name: name, lenientValue: value))
    }

    private mutating func unfold(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        guard let last = fields.indices.last else {
            throw .malformedResponse("The first header field starts with a space.")
        }
        let name = fields[last].name
        guard name != .contentLength, name != .transferEncoding, name != .contentEncoding else {
            throw .malformedResponse("The field \(name) is folded.")
        }
        fields[last].value += " " + String(decoding: Self.trimmed(line[...]), as: UTF8.self)
    }

    private static func trimmed(
        _ value: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        var value = value.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        while let last = value.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            value = value.dropLast()
        }
        return value
    }

    // MARK: - Fields that say how to read the content

    private mutating func note(
        _ name: HTTPField.Name, _ value: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(TransportError) {
        switch name {
        case .contentLength: try noteContentLength(value)
        case .transferEncoding: hasTransferEncoding = true
        case .contentEncoding:
            for coding in String(decoding: value, as: UTF8.self).lowercased().split(separator: ",") {
                let coding = coding.trimmingCharacters(in: .whitespaces)
                if coding != "identity", !coding.isEmpty { contentEncodings.append(coding) }
            }
        default: break
        }
    }

    private mutating func noteContentLength(
        _ value: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(TransportError) {
        if let contentLengthText {
            guard contentLengthText.elementsEqual(value) else {
                throw .malformedResponse("Two Content-Length fields differ.")
            }
            return
        }
        guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let length = Int64(String(decoding: value, as: UTF8.self))
        else {
            throw .malformedResponse("Content-Length is not a number that fits in 63 bits.")
        }
        contentLengthText = Array(value)
        contentLength = length
    }
}
