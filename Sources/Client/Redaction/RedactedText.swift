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

    /// Something of a text that is left out, and what stands in its place.
    private struct Omission {
        var range: Range<Int>
        var replacement: [UInt8]
    }

    let names: SecretNames
    let bytes: [UInt8]
    /// Whether escapes have been taken from it, so that the quotes of several layers stand in it.
    let isDecoded: Bool
    /// Whether each string in it is a line, without its quotes.
    let isApart: Bool
    let isURL: Bool
    /// Values without quotes end at a comma then, else at the end of the line.
    let isJSON: Bool
    /// Whether it begins as an object does.
    let startsWithObject: Bool
    /// Whether a `code` is likely to be one of OAuth 2.
    private let hasGrants: Bool
    var index = 0
    /// The end of looking ahead, so that what is looked at in vain is looked at a few times at
    /// most.
    var bound: Int
    /// In no order; what is found late may stand early.
    private var omissions: [Omission] = []
    /// What is known of pairs in each object, list and tag that is open, and around them.
    var scopes = [Scope()]
    /// The number of scopes around the tag that is open.
    var tagDepth: Int?
    /// The strings that are open, of texts in texts several.
    var strings: [OpenString] = []
    /// Whether the value that is passed over may have any word before its credential.
    var mayHaveScheme = false
    /// What is known of pairs of elements in each element that is open, and around them.
    var elements = [Scope()]
    /// The name of the element whose tag is open.
    var tagName: Range<Int>?
    /// The last value that may have its name behind it, whose brackets and quotes begin and end nothing.
    var valueAtRest = 0..<0
    /// The number of scopes around it, until it has been passed over.
    var depthAtRest: Int?
    /// The end of the values found late, none of which is looked through twice.
    var lateEnd = 0
    /// The end of what is left out: brackets and tags in it are none, but names are, as it may have been
    /// taken for longer than it is.
    private var hiddenEnd = 0
    /// The ends of the values of each kind that were found last.
    private var ends: [Value.Kind: Int] = [:]

    private init(_ text: DecodedText, _ kind: Kind, _ names: SecretNames) {
        self.names = names
        bytes = text.bytes
        (isDecoded, isApart) = (text.isDecoded, text.isApart)
        bound = bytes.count
        isURL = kind == .url
        let start = bytes.drop { $0 <= 0x20 }
        startsWithObject = start.first == UInt8(ascii: "{")
        isJSON =
            !text.isApart && start.first.map { "{[\"".utf8.contains($0) } ?? false
            && !Self.isLineOfLog(start)
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        hasGrants = ["grant_type", "redirect_uri", "code_verifier", "client_id"]
            .contains { text.contains($0) }
    }

    /// Whether a text begins with brackets around a time, a level or the like.
    private static func isLineOfLog(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == listStart,
            let end = text.prefix(sight).firstIndex(of: UInt8(ascii: "]")), end + 2 < text.endIndex
        else { return false }
        return text[end + 1] == 0x20 && isLetter(text[end + 2])
    }

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
        var omissions: [Omission] = []
        for layer in DecodedText.layers(of: source) {
            var text = RedactedText(layer, kind, names)
            text.run()
            if isCut { text.hideNameless() }
            omissions += text.omissions.map {
                Omission(range: layer.place(of: $0.range), replacement: $0.replacement)
            }
        }
        return text(source, without: omissions)
    }

    private static func text(_ source: [UInt8], without omissions: [Omission]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(source.count)
        var index = 0
        // Of what begins at the same place, what was found first says what to write.
        for (_, omission) in omissions.enumerated().sorted(by: {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }) {
            // One that another one ends at goes on with that.
            let isNew = omission.range.lowerBound > index || output.isEmpty
            if isNew || omission.replacement != placeholder, omission.range.lowerBound >= index {
                output += source[index..<omission.range.lowerBound]
                output += omission.replacement
            }
            index = max(index, omission.range.upperBound)
        }
        return output + source[index...]
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
            let isInside = index < hiddenEnd
            if let depth = depthAtRest, index >= valueAtRest.upperBound {
                endScopes(to: depth)
                (depthAtRest, tagName) = (nil, nil)
            }
            if !isInside, skipSpecial() { continue }
            let start = index
            guard skipName() else {
                if !isInside { keepScopes() }
                // The digits of what is percent-encoded are not a name's.
                index += decodedByte(at: index) == nil ? 1 : 3
                continue
            }
            let end = index
            if hideArguments(of: start..<end) { continue }
            if let mark = skipMark(), hideValue(of: start..<end, behind: mark) { continue }
            index = end
        }
    }

    /// Passes over what begins with a sign of its own, and leaves out what is secret of it.
    private mutating func skipSpecial() -> Bool {
        switch bytes[index] {
        case Self.colon: skipUserInformation()
        case Self.tagEnd, UInt8(ascii: "<"): hideElement()
        case 0x0A, 0x0D: hidePart()
        default: false
        }
    }

    /// Leaves something out.
    mutating func omit(_ range: Range<Int>, for replacement: [UInt8] = Self.placeholder) {
        omissions.append(Omission(range: range, replacement: replacement))
    }

    /// Leaves out the value behind a name, where that is a secret's, and goes on at its beginning.
    private mutating func hideValue(of name: Range<Int>, behind mark: UInt8) -> Bool {
        let word = Self.decoded(bytes[name])
        let start = index
        let isInside = name.lowerBound < hiddenEnd
        let secrecy = isInside ? names.secrecy(of: word) : secrecy(of: word, behind: mark)
        if secrecy == .none || mark == Self.colon && isBehindBlankLine(name) { return false }
        if isInside, secrecy != .always || isHidden(start) { return false }
        mayHaveScheme = SecretNames.joined(word).suffix(13).elementsEqual("authorization".utf8)
        defer { mayHaveScheme = false }
        guard hideValue(behind: mark, secrecy, below: name) else { return false }
        if !isInside { endString(behind: name) }
        hiddenEnd = max(hiddenEnd, index)
        index = start
        return true
    }

    /// Whether the value that begins there ends, by its kind, where one does that is left out already.
    private func isHidden(_ start: Int) -> Bool {
        guard start < hiddenEnd else { return false }
        let kind: Value.Kind =
            switch bytes[start...].prefix(32).first(where: { $0 != Self.backslash }) {
            case 0x22: .double
            case 0x27: .single
            case UInt8(ascii: "{"), Self.listStart: .nested
            default: .word
            }
        let end = ends[kind] ?? 0
        return end > start && (kind == .nested || end - start > 2 * Self.sight)
    }

    /// Leaves out the value that begins here; of one in lines below its name, all lines.
    mutating func hideValue(
        behind mark: UInt8, _ secrecy: Redaction.Secrecy, below name: Range<Int>? = nil
    ) -> Bool {
        let start = index
        guard secrecy != .none else { return false }
        if secrecy == .ifOpaque, mark == Self.colon, !hasGrants {
            bound = min(start + Self.sight, bytes.count)
            let value = skipValue(behind: mark)
            bound = bytes.count
            index = start
            // Of what is taken for a line, an element of JSON may be the beginning.
            let word = value.map { bytes[$0.content].prefix { !",}]".utf8.contains($0) } }
            // What is escaped is looked at without its escapes.
            guard let word, Redaction.isOpaque(word), !word.contains(where: "&%\\".utf8.contains)
            else { return false }
        }
        guard var value = skipValue(behind: mark), !Self.isPlain(bytes[value.content]) else {
            return false
        }
        if let name {
            if SecretNames.isCount(bytes[value.content], of: Self.decoded(bytes[name])) {
                return false
            }
            if mark == Self.colon {
                skipBlock(of: value, below: name)
                skipRest(of: &value, behind: name)
            }
        }
        ends[value.kind] = max(ends[value.kind] ?? 0, index)
        let hasQuotes = value.start < value.content.lowerBound
        // Of a layer, signs are not written as they are here.
        if isDecoded, hasQuotes, index == value.content.upperBound {
            omit(value.start..<index)
        } else if isDecoded || hasQuotes && index > value.content.upperBound {
            omit(value.content.lowerBound..<(hasQuotes ? value.content.upperBound : index))
        } else {
            omit(value.start..<index, for: value.quotes + Self.placeholder + value.quotes)
        }
        return true
    }

    /// Leaves out what a case or a call of a secret's name holds, as in `invalidToken("a")`.
    private mutating func hideArguments(of name: Range<Int>) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "("), holdsText(index + 1),
            names.secrecy(of: Self.decoded(bytes[name])) == .always
        else { return false }
        let start = index + 1
        skipNested("(", ")")
        omit(start..<(bytes[index - 1] == UInt8(ascii: ")") && index > start ? index - 1 : index))
        return true
    }

    /// Whether there is a string, or nothing but a number, in the parentheses that have begun.
    private func holdsText(_ start: Int) -> Bool {
        let line = bytes[start..<min(start + Self.sight, bytes.count)]
        let digits = line.prefix(while: SecretNames.isDigit)
        if !digits.isEmpty, digits.endIndex < line.endIndex {
            return line[digits.endIndex] == UInt8(ascii: ")")
        }
        let words = line.prefix {
            $0 != 0x22 && $0 != 0x27 && $0 != UInt8(ascii: ")") && $0 >= 0x20
        }
        guard words.endIndex < line.endIndex, let last = words.last ?? bytes[..<start].last
        else { return false }
        let quote = line[words.endIndex]
        return quote == 0x22 && last != Self.backslash
            || quote == 0x27 && "([:=, ".utf8.contains(last)
    }

    /// Whether a value says nothing: such are shown.
    static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
        ["", "true", "false", "null"].contains { value.elementsEqual($0.utf8) }
    }

    /// Passes over the beginning of a URL's authority, and leaves out of it who asks.
    private mutating func skipUserInformation() -> Bool {
        // JSON may have a backslash before each slash, and who mistypes a URL one slash or none.
        let marks = ["://", ":\\/\\/"] + (isBehindScheme ? [":/", ":"] : [])
        guard let mark = marks.first(where: { bytes[index...].starts(with: $0.utf8) }) else {
            return false
        }
        index += mark.utf8.count
        // Looked through again behind each mark that is none of a URL's.
        let reach =
            mark.hasSuffix("/\\/") || mark == "://"
            ? bytes.count : min(index + Self.sight, bytes.count)
        let authority = bytes[index..<reach].prefix {
            $0 > 0x20 && !"/?#\\\"'<>,;".utf8.contains($0)
        }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            omit(index..<at)
            index = at
        }
        return true
    }

    private var isBehindScheme: Bool {
        ["http", "https"].contains { scheme in
            bytes[..<index].suffix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8)
        }
    }
}
