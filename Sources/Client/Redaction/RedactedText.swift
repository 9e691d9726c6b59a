import Foundation

/// Reads text of any kind and writes it down without the values that stand behind secret names.
///
/// There is one reader for all syntaxes, cut or wrong as they may be. A name is a word before a
/// colon, an equals sign or an arrow, in quotes or not, or that of an element of XML. Its value is
/// left out up to its end: that of a string, of what is in brackets, of an element, of an item,
/// and, where that is not clear, that of the line or of the text. What is in quotes, and what is
/// percent-encoded or made of entities, is a text of its own, read in the same way, whose end is
/// the end of every value in it.
struct RedactedText {
    /// The kind of a text, by which the ends of its values are told.
    enum Kind {
        case content, url
    }

    /// What all texts in a text are read by.
    private struct Rules {
        let names: SecretNames
        /// Whether a `code` is likely to be one of OAuth 2.
        let hasGrants: Bool
    }

    /// A part of a text that is read as a text of its own.
    private struct Part {
        let text: DecodedText
        let range: Range<Int>
        var kind = Kind.content
        /// Whether it goes on, so that the name of a value may be in what is missing.
        let isCut: Bool
        /// The number of texts that it is in.
        let depth: Int
    }

    /// Something of the source that is left out, and what stands in its place.
    private struct Omission {
        let range: Range<Int>
        let replacement: [UInt8]
    }

    private let rules: Rules
    private let part: Part
    let bytes: [UInt8]
    let start: Int
    let end: Int
    var index: Int
    /// What is known of pairs in each bracket, tag and element that is open, and around them.
    var frames = [Frame()]
    /// The end of what has been left out, in which names are read, as it may end too early.
    var hiddenEnd = 0
    /// The number of bytes looked ahead at, past a limit of which the rest of the text is left out.
    var work = 0
    /// The line that begins the part of a form.
    var boundary = Array("--".utf8)[...]
    private var omissions: [Omission] = []
    private var parts: [Part] = []
    /// The ends of what has been read without its escapes, and of where no string ends.
    private var decodedEnds: [DecodedText.Escape: Int] = [:]
    private var unclosedEnd = 0

    private init(_ part: Part, _ rules: Rules) {
        (self.part, self.rules, bytes) = (part, rules, part.text.bytes)
        (start, end, index) = (part.range.lowerBound, part.range.upperBound, part.range.lowerBound)
    }

    var names: SecretNames { rules.names }
    var hasGrants: Bool { rules.hasGrants }
    var isURL: Bool { part.kind == .url }
    var isSource: Bool { part.text.isSource }
    var isCut: Bool { part.isCut }

    /// The number of bytes looked ahead for what may be of no use.
    static let sight = 128
    static let placeholder = Array(Redaction.placeholder.utf8)
    private static let passCount = 8
    private static let mostDepth = 16

    /// The text without the values of secret names, be they escaped or in text in text.
    ///
    /// - Parameter isCut: Whether the text goes on, so that the name of a value may be in what is missing.
    static func of(
        _ content: Data, _ kind: Kind = .content, isCut: Bool = false, by redaction: Redaction
    ) -> String {
        let names = SecretNames.of(redaction.names)
        var source = plain(content)
        // What is left out may make another thing of what is around it.
        for _ in 0..<passCount {
            let shown = shown(of: source, kind, isCut, names)
            if shown == source { break }
            source = shown
        }
        return String(decoding: source, as: UTF8.self)
    }

    private static func shown(
        of source: [UInt8], _ kind: Kind, _ isCut: Bool, _ names: SecretNames
    ) -> [UInt8] {
        let rules = Rules(names: names, hasGrants: hasGrants(source))
        let whole = DecodedText(source)
        var parts = [
            Part(text: whole, range: 0..<source.count, kind: kind, isCut: isCut, depth: 0)
        ]
        var omissions: [Omission] = []
        // So that time is linear in the length of the source, whatever is in what.
        var rest = 32 * source.count + 4096
        while let part = parts.popLast() {
            rest -= part.range.count
            guard rest > 0, part.depth < mostDepth else {
                omissions.append(
                    Omission(range: part.text.place(of: part.range), replacement: placeholder))
                continue
            }
            var text = RedactedText(part, rules)
            text.run()
            parts += text.parts
            omissions += text.omissions
        }
        return Self.text(source, without: omissions)
    }

    private static func hasGrants(_ source: [UInt8]) -> Bool {
        // All of them have one in them.
        guard source.contains(UInt8(ascii: "_")) else { return false }
        let text = String(decoding: source, as: UTF8.self).lowercased()
        return ["grant_type", "redirect_uri", "code_verifier", "client_id"].contains {
            text.contains($0)
        }
    }

    private static func text(_ source: [UInt8], without omissions: [Omission]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(source.count)
        var index = 0
        for (_, omission) in omissions.enumerated().sorted(by: {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }) {
            // One that another one ends at goes on with that.
            if omission.range.lowerBound > index || output.isEmpty {
                output += source[index..<omission.range.lowerBound]
                output += omission.replacement
            }
            index = max(index, omission.range.upperBound)
        }
        return output + source[index...]
    }

    /// The content in UTF-8, without NULs, which nobody sees, and without a mark of the order of
    /// its bytes.
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

    // MARK: - Reading

    private mutating func run() {
        let limit = 64 * (end - start) + 4096
        readBoundary()
        while index < end {
            guard work < limit else { return hide(index..<end) }
            if index < hiddenEnd {
                if isName(at: index) { readName() } else { index += 1 }
                continue
            }
            switch bytes[index] {
            case 0x22, 0x27: readString()
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
                frames.append(Frame(kind: bytes[index]))
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
                endFrame(bytes[index])
                index += 1
            case UInt8(ascii: "<"): readTag()
            case UInt8(ascii: ">"): endTag()
            case UInt8(ascii: ":"): readScheme()
            case UInt8(ascii: "/"): readSlash()
            case 0x0A: readLine()
            case _ where isName(at: index): readName()
            case let byte:
                if let escape = DecodedText.Escape(rawValue: byte) { decode(escape, at: index) }
                // The letters and digits of an escape are not a name's.
                index += escape(at: index)?.count ?? 1
            }
        }
        if part.isCut { hideNameless() }
    }

    /// Leaves something out, in which all is read as ever.
    mutating func omit(_ range: Range<Int>, for replacement: [UInt8] = placeholder) {
        omissions.append(Omission(range: part.text.place(of: range), replacement: replacement))
    }

    /// Leaves something out.
    mutating func hide(_ range: Range<Int>, for replacement: [UInt8] = placeholder) {
        omit(range, for: replacement)
        hiddenEnd = max(hiddenEnd, range.upperBound)
    }

    /// Has what is around here be read without its escapes, too.
    mutating func decode(_ escape: DecodedText.Escape, at place: Int) {
        guard place >= decodedEnds[escape] ?? 0 else { return }
        // What separates is not escaped.
        let separators: [UInt8] =
            switch escape {
            case .percent: Array("&<>\"\n".utf8)
            case .entity: Array("<>".utf8)
            case .backslash: []
            }
        let first = bytes[start..<place].lastIndex(where: separators.contains).map { $0 + 1 }
        let last = bytes[place + 1..<end].firstIndex(where: separators.contains) ?? end
        decodedEnds[escape] = last
        guard let text = part.text.decoded((first ?? start)..<last, escape) else { return }
        read(text, text.bytes.indices, isCut: part.isCut && last == end)
    }

    /// The sign that is escaped at an index; nil where none is.
    func escape(at place: Int) -> DecodedText.Sign? {
        part.text.sign(at: place).flatMap { place + $0.count <= end ? $0 : nil }
    }

    private mutating func read(_ text: DecodedText, _ range: Range<Int>, isCut: Bool) {
        parts.append(Part(text: text, range: range, isCut: isCut, depth: part.depth + 1))
    }

    // MARK: - Strings

    /// Reads a string, which may be a name.
    private mutating func readString() {
        let quote = bytes[index]
        guard index == start || Self.isBeforeString(bytes[index - 1]), index >= unclosedEnd else {
            index += 1
            return
        }
        let open = index
        let close = endOfString(open, inLine: true)
        let isClosed = close < end && bytes[close] == quote
        guard isClosed || quote == 0x22 && close == end else {
            unclosedEnd = close
            index += 1
            return
        }
        let content = open + 1..<close
        if bytes[content].contains(where: "(:=<&%\\".utf8.contains) {
            let isCut = part.isCut && !isClosed
            if quote == 0x22, let text = part.text.decoded(content, .backslash) {
                read(text, text.bytes.indices, isCut: isCut)
            } else {
                read(part.text, content, isCut: isCut)
            }
        }
        index = min(close + 1, end)
        guard isClosed, !content.isEmpty else { return }
        readValue(of: content, isQuoted: true)
    }

    private static func isBeforeString(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "([{<,:=>;&?|".utf8.contains(byte)
    }

    /// Returns the index of the quote that ends a string, or where none does.
    ///
    /// A quote that is doubled, as in SQL, or that a word goes on behind ends nothing; what might
    /// end it in one language and not in another one does not.
    mutating func endOfString(_ open: Int, inLine: Bool = false, atFirst: Bool = false) -> Int {
        let quote = bytes[open]
        var place = open + 1
        defer { work += place - open }
        while place < end {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\\") {
                // In SQL and in a shell, it is no escape.
                let rest = bytes[place + 1..<end]
                if quote == 0x27, rest.starts(with: Self.apostropheOfShell) {
                    place += 5
                } else {
                    place += quote == 0x27 && rest.starts(with: [quote, quote]) ? 3 : 2
                }
            } else if byte == quote {
                let rest = bytes[place..<end]
                if quote == 0x27, rest.starts(with: Self.apostropheOfShell) {
                    place += 4
                } else if place + 1 < end, bytes[place + 1] == quote {
                    place += 2
                } else if atFirst || isEnd(place + 1, of: quote) {
                    return place
                } else {
                    place += 1
                }
            } else if inLine, byte == 0x0A {
                return place
            } else {
                place += 1
            }
        }
        place = end
        return end
    }

    /// An apostrophe in single quotes.
    static let apostropheOfShell = Array(#"'\''"#.utf8)

    /// Whether nothing of a string can be there any more.
    private func isEnd(_ place: Int, of quote: UInt8) -> Bool {
        var place = place
        while place < end, ")]}".utf8.contains(bytes[place]) { place += 1 }
        guard place < end else { return true }
        switch bytes[place] {
        case 0...0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"),
            UInt8(ascii: ":"), UInt8(ascii: "="):
            return true
        case UInt8(ascii: "/"):
            return bytes[place..<end].starts(with: "/>".utf8)
                || quote == 0x22 && bytes[place..<end].starts(with: "/*".utf8)
        case UInt8(ascii: ","), UInt8(ascii: ";"):
            return isSeparator(place) || "\"{[".utf8.contains(bytes[place + 1])
        case 0x22, 0x27: return place + 1 == end || bytes[place + 1] <= 0x20
        default: return false
        }
    }

    /// Whether a comma or semicolon stands before another element, rather than in a word.
    func isSeparator(_ place: Int) -> Bool {
        var place = place + 1
        guard place < end, bytes[place] > 0x20 else { return true }
        let name = place
        while place < min(name + Self.sight, end), isName(at: place) { place += 1 }
        return place > name && place < end && bytes[place] == UInt8(ascii: "=")
    }
}
