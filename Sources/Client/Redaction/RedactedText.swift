import Foundation

/// Reads text of any kind and writes it down without the values that stand behind secret names.
///
/// A name is a word before a colon, an equals sign or, in XML, the end of a tag, in quotes or not. It
/// need not know whether the text is JSON: content is often cut, wrapped in something or wrong.
struct RedactedText {
    private let redaction: Redaction
    private let bytes: [UInt8]
    /// Values without quotes end at a comma then, else at the end of the line.
    private let isJSON: Bool
    /// Whether a `code` is likely to be one of OAuth 2.
    private let hasGrants: Bool
    private var index = 0
    private var output: [UInt8] = []

    private init(_ bytes: [UInt8], by redaction: Redaction) {
        self.redaction = redaction
        self.bytes = bytes
        let first = bytes.first { $0 > 0x20 }
        isJSON = first.map { "{[\"".utf8.contains($0) } ?? false
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        hasGrants = ["grant_type", "redirect_uri", "code_verifier", "client_id"]
            .contains { text.contains($0) }
        output.reserveCapacity(bytes.count)
    }

    /// The text without the values of secret names.
    static func of(_ content: Data, by redaction: Redaction) -> String {
        var text = RedactedText(Array(content), by: redaction)
        text.run()
        return String(decoding: text.output, as: UTF8.self)
    }

    private mutating func run() {
        while index < bytes.count {
            let start = index
            guard !skipUserInformation() else { continue }
            guard skipName() else {
                output.append(bytes[index])
                index += 1
                continue
            }
            let end = index
            output += bytes[start..<end]
            guard let mark = skipMark(before: start) else {
                index = end
                continue
            }
            let secrecy = redaction.secrecy(of: Self.decoded(bytes[start..<end]))
            guard secrecy != .none, let value = skipValue(behind: mark),
                isHidden(value.content, secrecy, behind: mark)
            else {
                index = end
                continue
            }
            output += bytes[end..<value.start]
            output += value.quotes + Array(Redaction.placeholder.utf8) + value.quotes
        }
    }

    private func isHidden(
        _ value: Range<Int>, _ secrecy: Redaction.Secrecy, behind mark: UInt8
    ) -> Bool {
        let value = bytes[value]
        if ["", "true", "false", "null"].contains(where: { value.elementsEqual($0.utf8) }) {
            return false
        }
        return secrecy == .always || mark == Self.equals || hasGrants || Redaction.isOpaque(value)
    }

    /// Passes over the beginning of a URL's authority, and leaves out of it who asks.
    private mutating func skipUserInformation() -> Bool {
        // JSON may have a backslash before each slash.
        guard
            let mark = ["://", ":\\/\\/"].first(where: { bytes[index...].starts(with: $0.utf8) })
        else { return false }
        output += Array(mark.utf8)
        index += mark.utf8.count
        let authority = bytes[index...].prefix {
            $0 > 0x20 && !"/?#\\\"'<>,;".utf8.contains($0)
        }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            output += Array(Redaction.placeholder.utf8)
            index = at
        }
        return true
    }

    // MARK: - Names

    /// Passes over a name, with escapes and whatever is not ASCII in it.
    private mutating func skipName() -> Bool {
        guard isInName(index), bytes[index] < 0x80, bytes[index] != 0x2D, bytes[index] != 0x2E
        else { return false }
        while index < bytes.count, isInName(index) {
            index += bytes[index] == Self.backslash ? 6 : 1
        }
        index = min(index, bytes.count)
        return true
    }

    private func isInName(_ index: Int) -> Bool {
        let byte = bytes[index]
        switch byte {
        case Self.backslash:
            return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u")
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "%"), 0x80...:
            return true
        default:
            return Redaction.isLetter(byte) || Redaction.isDigit(byte)
        }
    }

    /// A name without the escapes of JSON and of URLs.
    private static func decoded(_ name: ArraySlice<UInt8>) -> String {
        let text = String(decoding: name, as: UTF8.self)
        let plain = text.replacing(/\\u([0-9A-Fa-f]{4})/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
        return plain.removingPercentEncoding ?? plain
    }

    /// Passes over what stands between a name and its value, and returns the sign among it.
    private mutating func skipMark(before start: Int) -> UInt8? {
        while index < bytes.count, Self.quotes.contains(bytes[index]) { index += 1 }
        let isTag = start > 0 && bytes[start - 1] == UInt8(ascii: "<")
        skipSpaces()
        guard index < bytes.count else { return nil }
        let mark = bytes[index]
        guard mark == Self.colon || mark == Self.equals || isTag && mark == Self.tagEnd else {
            return nil
        }
        index += 1
        skipSpaces()
        return mark
    }

    private mutating func skipSpaces() {
        while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) {
            index += 1
        }
    }

    // MARK: - Values

    private struct Value {
        /// Where it begins, with its quotes.
        var start: Int
        /// What it is, without them.
        var content: Range<Int>
        /// What is to stand around its placeholder.
        var quotes: [UInt8] = []
    }

    /// Passes over a value, to the end of the text where it has none; nil where there is none.
    private mutating func skipValue(behind mark: UInt8) -> Value? {
        guard index < bytes.count else { return nil }
        let start = index
        // Within a string of JSON, quotes have a backslash before them.
        while index < bytes.count, bytes[index] == Self.backslash { index += 1 }
        if index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 {
            index += 1
            let quotes = bytes[start..<index]
            let content = index
            while index < bytes.count, !bytes[index...].starts(with: quotes) {
                index += quotes.count == 1 && bytes[index] == Self.backslash ? 2 : 1
            }
            let end = min(index, bytes.count)
            index = min(index + quotes.count, bytes.count)
            return Value(start: start, content: content..<end, quotes: Array(quotes))
        }
        index = start
        let isNested = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
        if isNested { skipNested() } else { skipWord(behind: mark) }
        let isQuoted = isJSON && mark == Self.colon
        return Value(start: start, content: start..<index, quotes: isQuoted ? [0x22] : [])
    }

    private mutating func skipNested() {
        var depth = 0
        var isInString = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case Self.backslash: index = min(index + 1, bytes.count)
            case 0x22: isInString.toggle()
            case UInt8(ascii: "{"), UInt8(ascii: "["): if !isInString { depth += 1 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if !isInString { depth -= 1 }
            default: break
            }
            if depth == 0 { return }
        }
    }

    private mutating func skipWord(behind mark: UInt8) {
        let ends: [UInt8] =
            switch mark {
            case Self.tagEnd: Array("<".utf8)
            case Self.equals: Array("&;,<>\"'\\ \t\r\n".utf8)
            default: isJSON ? Array(",}]\"\r\n".utf8) : Array("\r\n".utf8)
            }
        while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let colon = UInt8(ascii: ":")
    private static let equals = UInt8(ascii: "=")
    private static let tagEnd = UInt8(ascii: ">")
    private static let quotes = Array("\\\"'".utf8)
}
