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

    /// The line of each field that has been read, by which the next head is read that is much like this one.
    private var lines: [FieldLine] = []

    /// The value of the field that came last, where it goes on in further lines.
    private var folded: ArraySlice<UInt8>?
    private var hasTransferEncoding = false
    private var contentEncodings: [String] = []

    /// Reads a head with its empty line.
    ///
    /// - Parameter last: The head that was read last, whose fields are taken over where the same line stands at
    ///   the same place: most of them do where one server answers again and again.
    init(
        parsing bytes: [UInt8], limits: TransportLimits,
        like last: LastHead? = nil
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
            if hasStatus, let last, try takeOver(from: last, bytes, at: &start, limits) { continue }
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            let line = Self.withoutReturns(bytes[start..<end])
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
                try readField(line, endingAt: end + 1, limits, last)
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
    var excludesContent: Bool { message.status.code == 204 || message.status.code == 304 }

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

    /// Takes down a field whose line, with its line break, is the one that was there last; false where it is not.
    private mutating func takeOver(
        from last: LastHead, _ bytes: [UInt8], at start: inout Int, _ limits: TransportLimits
    ) throws(TransportError) -> Bool {
        let index = lines.count
        guard index < last.head.lines.count else { return false }
        let line = last.head.lines[index]
        let end = start + line.range.count
        guard !line.range.isEmpty, end <= bytes.count,
            Self.areEqual(last.bytes[line.range], bytes[start..<end])
        else { return false }
        endFolding()
        try checkCount(limits)
        let field = last.head.message.headerFields[index]
        if line.saysHowToRead {
            let rest = bytes[(start + line.nameCount + 1)..<end]
            try note(field.name, Self.trimmed(Self.withoutReturns(rest.dropLast())))
        }
        lines.append(FieldLine(range: start..<end, line))
        message.headerFields.append(field)
        start = end
        return true
    }

    private mutating func readField(
        _ line: ArraySlice<UInt8>, endingAt end: Int, _ limits: TransportLimits, _ last: LastHead?
    ) throws(TransportError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformedResponse("A header field has no colon.")
        }
        endFolding()
        try checkCount(limits)
        let name = try name(line[..<colon], last)
        let value = Self.trimmed(line[(colon + 1)...])
        let saysHowToRead = try note(name, value)
        lines.append(
            FieldLine(
                range: line.startIndex..<end, nameCount: colon - line.startIndex,
                saysHowToRead: saysHowToRead))
        message.headerFields.append(Self.field(name, value))
    }

    /// The name that bytes spell, taken over where the field at the same place had it.
    private func name(
        _ bytes: ArraySlice<UInt8>, _ last: LastHead?
    ) throws(TransportError) -> HTTPField.Name {
        if let last, lines.count < last.head.lines.count {
            let line = last.head.lines[lines.count]
            if line.nameCount == bytes.count, !line.range.isEmpty,
                Self.areEqual(last.bytes[line.range].prefix(line.nameCount), bytes)
            {
                return last.head.message.headerFields[lines.count].name
            }
        }
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

    private static func areEqual(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let start = left.baseAddress, let other = right.baseAddress else {
                    return true
                }
                return memcmp(start, other, left.count) == 0
            }
        }
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

// MARK: - Heads that are alike

extension ResponseHead {
    /// Takes over the last head where this one is the same but for some values, as it is where one server answers
    /// again and again; nil where it is any other, or one to be looked at closely.
    private init?(changing last: LastHead, to bytes: [UInt8], _ limits: TransportLimits) {
        let lines = last.head.lines
        guard let first = lines.first, lines.count <= limits.maximumHeaderFieldCount else {
            return nil
        }
        self = last.head
        let isAlike = bytes.withUnsafeBytes { bytes in
            last.bytes.withUnsafeBytes { lastBytes in
                let known = LineReader(bytes)
                var start = first.range.lowerBound
                guard known.holds(lastBytes[..<start], at: 0) else { return false }
                for (index, line) in lines.enumerated() {
                    guard !line.range.isEmpty else { return false }
                    var end = start + line.range.count
                    if !known.holds(lastBytes[line.range], at: start) {
                        let nameEnd = line.range.lowerBound + line.nameCount + 1
                        let value = start + line.nameCount + 1
                        guard known.holds(lastBytes[line.range.lowerBound..<nameEnd], at: start),
                            let next = known.endOfPlainLine(from: value),
                            change(index, line, to: bytes[value..<next])
                        else { return false }
                        end = next
                    }
                    if start != line.range.lowerBound || end - start != line.range.count {
                        self.lines[index] = FieldLine(range: start..<end, line)
                    }
                    start = end
                }
                let rest = lastBytes[lines[lines.count - 1].range.upperBound...]
                return known.holds(rest, at: start) && start + rest.count == bytes.count
            }
        }
        guard isAlike else { return nil }
    }

    /// Gives a field another value, the rest of its line; false where that is to be looked at closely.
    private mutating func change(
        _ index: Int, _ line: FieldLine, to rest: Slice<UnsafeRawBufferPointer>
    ) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
        var (start, end) = (rest.startIndex, rest.endIndex)
        while start < end, isBlank(rest[start]) { start += 1 }
        while start < end, isBlank(rest[end - 1]) { end -= 1 }
        let field = message.headerFields[index]
        let value = String(decoding: rest[start..<end], as: UTF8.self)
        if line.saysHowToRead {
            // More than one may have said the same.
            guard field.name == .contentLength, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                let length = Int64(value), lines.count(where: \.saysHowToRead) == 1
            else { return false }
            contentLength = length
        }
        message.headerFields[index] = HTTPField(name: field.name, value: value)
        return true
    }

    /// The bytes of a head, looked at line by line.
    private struct LineReader {
        private let bytes: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        /// Whether the same bytes stand at a place.
        func holds(_ other: Slice<UnsafeRawBufferPointer>, at start: Int) -> Bool {
            guard start + other.count <= bytes.count else { return false }
            guard let base = bytes.baseAddress, let otherBase = other.base.baseAddress else {
                return other.isEmpty
            }
            return memcmp(base + start, otherBase + other.startIndex, other.count) == 0
        }

        /// The end of a line, with its line break, that holds nothing but visible ASCII, spaces and tabs before that;
        /// nil for any other.
        func endOfPlainLine(from start: Int) -> Int? {
            var end = start
            while end < bytes.count {
                switch bytes[end] {
                case 0x20..<0x7F, 0x09: end += 1
                case 0x0A: return end + 1
                case 0x0D where end + 1 < bytes.count && bytes[end + 1] == 0x0A: return end + 2
                default: return nil
                }
            }
            return nil
        }
    }
}

extension TransportError {
    fileprivate static var foldedFirstField: Self {
        .malformedResponse("The first header field starts with a space.")
    }
}

extension ResponseHead {
    /// The line of a field in the bytes of a head.
    private struct FieldLine {
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

/// The head that was read last, in its bytes and as what they are.
final class LastHead {
    let bytes: [UInt8]
    let head: ResponseHead

    init(_ bytes: [UInt8], _ head: ResponseHead) {
        (self.bytes, self.head) = (bytes, head)
    }
}
