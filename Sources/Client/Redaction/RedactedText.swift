import Foundation

/// Reads text of any kind and writes it down without the values that stand behind secret names.
///
/// A name is a word before a colon, an equals sign or an arrow, in quotes or not, or that of an element of
/// XML. It need not know whether the text is JSON: content is often cut, wrapped in something or wrong.
struct RedactedText {
    /// The kind of a text, by which the ends of its values are told.
    enum Kind {
        case content, url
    }

    let names: SecretNames
    let bytes: [UInt8]
    private let isURL: Bool
    /// Values without quotes end at a comma then, else at the end of the line.
    private let isJSON: Bool
    /// Whether a `code` is likely to be one of OAuth 2.
    private let hasGrants: Bool
    var index = 0
    /// The end of looking ahead, so that what is looked at in vain is looked at a few times at
    /// most.
    var bound: Int
    var output: [UInt8] = []
    /// The secrecy that a pair such as `"name": "password"` gives a value, as long as that may
    /// come.
    private var named = Redaction.Secrecy.none
    /// Whether that may be a part of a form, which stands behind an empty line.
    private var namesPart = false

    private init(_ bytes: [UInt8], _ kind: Kind, by redaction: Redaction) {
        names = SecretNames(redaction.names)
        self.bytes = bytes
        bound = bytes.count
        isURL = kind == .url
        let first = bytes.first { $0 > 0x20 }
        isJSON = first.map { "{[\"".utf8.contains($0) } ?? false
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        hasGrants = ["grant_type", "redirect_uri", "code_verifier", "client_id"]
            .contains { text.contains($0) }
        output.reserveCapacity(bytes.count)
    }

    /// The text without the values of secret names.
    static func of(_ content: Data, _ kind: Kind = .content, by redaction: Redaction) -> String {
        var text = RedactedText(plain(content), kind, by: redaction)
        text.run()
        return String(decoding: text.output, as: UTF8.self)
    }

    /// The content in UTF-8, without NULs, which nobody sees, and without a mark of the order of its bytes.
    private static func plain(_ content: Data) -> [UInt8] {
        var bytes = Array(content)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard
            bytes.contains(0) || bytes.starts(with: [0xFF, 0xFE])
                || bytes.starts(with: [0xFE, 0xFF])
        else { return bytes }
        // In UTF-16 one of the two bytes of what is ASCII is zero.
        let zeros = (0...1).map { parity in
            bytes.indices.filter { $0 % 2 == parity && bytes[$0] == 0 }.count
        }
        let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if isMarked || zeros.max() ?? 0 > bytes.count / 8 && zeros.min() ?? 0 < bytes.count / 32 {
            let isLittle = isMarked ? bytes[0] == 0xFF : zeros[1] > zeros[0]
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isLittle ? first | second << 8 : first << 8 | second
            }
            bytes = Array(String(decoding: units.filter { $0 != 0xFEFF }, as: UTF16.self).utf8)
        }
        return bytes.filter { $0 != 0 }
    }

    private mutating func run() {
        while index < bytes.count {
            if skipUserInformation() || hideElement() || hidePart() { continue }
            let start = index
            guard skipName() else {
                if bytes[index] == UInt8(ascii: "}") || bytes[index] == Self.tagEnd {
                    named = .none
                }
                // The digits of what is percent-encoded are not a name's.
                let count = decodedByte(at: index) == nil ? 1 : 3
                output += bytes[index..<index + count]
                index += count
                continue
            }
            let end = index
            output += bytes[start..<end]
            if let mark = skipMark(), hideValue(of: bytes[start..<end], behind: mark) { continue }
            index = end
        }
    }

    /// Writes what takes the place of a value, where its name is that of a secret.
    private mutating func hideValue(of name: ArraySlice<UInt8>, behind mark: UInt8) -> Bool {
        let start = index
        let secrecy = secrecy(of: Self.decoded(name), behind: mark)
        guard secrecy != .none else { return false }
        if secrecy == .ifOpaque, mark == Self.colon, !hasGrants {
            bound = min(start + Self.sight, bytes.count)
            let value = skipValue(behind: mark)
            bound = bytes.count
            index = start
            guard let value, Redaction.isOpaque(bytes[value.content]) else { return false }
        }
        guard let value = skipValue(behind: mark), !Self.isPlain(bytes[value.content]) else {
            return false
        }
        output += bytes[name.endIndex..<value.start]
        output += value.quotes + Self.placeholder + value.quotes
        return true
    }

    /// Returns the secrecy of the value behind a name, which may have been named before it.
    private mutating func secrecy(
        of name: String, behind mark: UInt8
    ) -> Redaction.Secrecy {
        let word = SecretNames.joined(name)
        if named != .none, Self.values.contains(word) {
            defer { named = .none }
            return named
        }
        if Self.labels.contains(word) {
            let start = index
            bound = min(start + Self.sight, bytes.count)
            let label = skipValue(behind: mark).map { bytes[$0.content] } ?? []
            bound = bytes.count
            index = start
            named = label.count > 40 ? .none : names.secrecy(of: Self.decoded(label))
            namesPart = mark == Self.equals
        } else if Self.places.contains(word), index < bytes.count, bytes[index] == Self.listStart {
            let start = index
            bound = min(start + Self.sight, bytes.count)
            let place = skipValue(behind: mark).map { bytes[$0.content] } ?? []
            bound = bytes.count
            index = start
            named = names.secrecy(of: Self.decoded(place))
            namesPart = false
        }
        return names.secrecy(of: name)
    }

    /// Whether a value says nothing: such are shown.
    static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
        ["", "true", "false", "null"].contains { value.elementsEqual($0.utf8) }
    }

    /// Hides the part of a form that `name="password"` stands before, between an empty line and the next
    /// boundary.
    private mutating func hidePart() -> Bool {
        guard named != .none, namesPart, bytes[index] == 0x0A || bytes[index] == 0x0D else {
            return false
        }
        let rest = bytes[index...]
        guard let mark = ["\r\n\r\n", "\n\n"].first(where: { rest.starts(with: $0.utf8) }) else {
            return false
        }
        named = .none
        output += Array(mark.utf8) + Self.placeholder
        index += mark.utf8.count
        while index < bytes.count, !bytes[index...].starts(with: "\n--".utf8) { index += 1 }
        return true
    }

    /// Passes over the beginning of a URL's authority, and leaves out of it who asks.
    private mutating func skipUserInformation() -> Bool {
        guard bytes[index] == Self.colon else { return false }
        // JSON may have a backslash before each slash, and who mistypes a URL one slash or none.
        let marks = ["://", ":\\/\\/"] + (isBehindScheme ? [":/", ":"] : [])
        guard let mark = marks.first(where: { bytes[index...].starts(with: $0.utf8) }) else {
            return false
        }
        output += Array(mark.utf8)
        index += mark.utf8.count
        // Looked through again behind each mark that is none of a URL's.
        let reach =
            mark.hasSuffix("/\\/") || mark == "://"
            ? bytes.count : min(index + Self.sight, bytes.count)
        let authority = bytes[index..<reach].prefix {
            $0 > 0x20 && !"/?#\\\"'<>,;".utf8.contains($0)
        }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            output += Self.placeholder
            index = at
        }
        return true
    }

    private var isBehindScheme: Bool {
        ["http", "https"].contains { scheme in
            output.count >= scheme.utf8.count
                && output.suffix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8)
        }
    }

    // MARK: - Values

    private struct Value {
        /// The index of its first byte, its quotes included.
        var start: Int
        /// The range of its bytes, without the quotes.
        var content: Range<Int>
        /// The quotes to stand around its placeholder.
        var quotes: [UInt8] = []
    }

    /// Passes over a value, to where looking ahead ends if it goes on for longer; nil where there is none.
    private mutating func skipValue(behind mark: UInt8) -> Value? {
        guard index < bound else { return nil }
        let start = index
        // Within a string of JSON, quotes have a backslash before them.
        while index < bound, bytes[index] == Self.backslash, index < start + 32 { index += 1 }
        if index < bound, bytes[index] == 0x22 || bytes[index] == 0x27 {
            index += 1
            let quotes = bytes[start..<index]
            let content = index
            while index < bound, !bytes[index...].starts(with: quotes) {
                index += quotes.count == 1 && bytes[index] == Self.backslash ? 2 : 1
            }
            let end = min(index, bound)
            index = min(index + quotes.count, bound)
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
        var quote: UInt8?
        // Where an apostrophe is none: it begins a string.
        var mayBegin = false
        while index < bound {
            let byte = bytes[index]
            index += 1
            switch byte {
            case Self.backslash: index = min(index + 1, bound)
            case quote: quote = nil
            case _ where quote != nil: break
            case 0x22: quote = byte
            case 0x27: if mayBegin { quote = byte }
            case UInt8(ascii: "{"), Self.listStart: depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if byte > 0x20 { mayBegin = "{[(,:".utf8.contains(byte) }
            if depth == 0 { return }
        }
    }

    private mutating func skipWord(behind mark: UInt8) {
        let ends: [UInt8] =
            switch mark {
            case Self.colon where isURL: Array("&;,/?#<>\"'".utf8)
            case Self.colon: isJSON ? Array(",}]\"\r\n".utf8) : Array("\r\n".utf8)
            default: Array((isURL ? "#" : "").utf8) + Array("&;,<>\"'\\ \t\r\n".utf8)
            }
        let start = index
        while index < bound {
            if ends.contains(bytes[index]) {
                guard bytes[index] == 0x22, holdsString(start..<index) else { return }
                skipString()
            } else {
                if mark == Self.percent, isEncoded("&;#", at: index) { return }
                if bytes[index] == UInt8(ascii: "("), skipArguments() { continue }
                index += 1
            }
        }
    }

    /// Passes over what stands in parentheses on one line, as in `Token(value: "a")`.
    private mutating func skipArguments() -> Bool {
        let start = index
        let line = bytes[start..<min(start + Self.sight, bound)].prefix { $0 != 0x0A && $0 != 0x0D }
        var depth = 0
        while index < line.endIndex {
            let byte = bytes[index]
            if byte == 0x22 {
                skipString()
                continue
            }
            index += 1
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { return true }
        }
        index = start
        return false
    }

    /// Whether the quote behind a word begins a string that is a part of it, as in `Optional("a")` and
    /// `string(1) "a"`.
    private func holdsString(_ word: Range<Int>) -> Bool {
        guard let last = word.last else { return false }
        return bytes[last] == UInt8(ascii: "(")
            || bytes[last] == 0x20 && bytes[word].dropLast().last == UInt8(ascii: ")")
    }

    private mutating func skipString() {
        index += 1
        while index < bound, bytes[index] != 0x22 {
            index += bytes[index] == Self.backslash ? 2 : 1
        }
        index = min(index + 1, bound)
    }
}

// MARK: - Constants

extension RedactedText {
    /// The keys of a name, as in `"name": "password"`, and those of the value beside it.
    private static let labels = Set(
        ["name", "key", "field", "id", "param", "parameter"].map { Array($0.utf8) })
    private static let values = Set(
        ["value", "content", "default", "input", "rejectedvalue"].map { Array($0.utf8) })
    /// The keys of a list of names that leads to a value.
    private static let places = Set(["loc", "path"].map { Array($0.utf8) })

    /// The number of bytes looked ahead for what may be of no use.
    static let sight = 128

    static let placeholder = Array(Redaction.placeholder.utf8)
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    static let percent = UInt8(ascii: "%")
    static let tagEnd = UInt8(ascii: ">")
    private static let listStart = UInt8(ascii: "[")
    /// The characters that may stand between a name and its mark: also the end of `user[password]`.
    static let quotes = Array("\\\"']".utf8)
}
