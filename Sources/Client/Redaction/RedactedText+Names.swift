import Foundation

/// Names, and what stands between them and their values.
extension RedactedText {
    /// The sign before a value, by which its end is told.
    enum Mark {
        case colon, arrow, equals
    }

    /// Reads a name without quotes, and leaves out its value where that is secret.
    mutating func readName() {
        let first = index
        while index < end, isName(at: index) || skipSubscript() {
            index += escape(at: index)?.count ?? 1
        }
        index = min(index, end)
        let name = first..<index
        if first >= hiddenEnd {
            if bytes[name].contains(UInt8(ascii: "%")) { decode(.percent, at: first) }
            if bytes[name].contains(UInt8(ascii: "\\")) { decode(.backslash, at: first) }
        }
        if hideArguments(of: name) { return }
        readValue(of: name, isQuoted: false)
    }

    /// Whether a byte, or what is escaped there, is one of a name, in whatever language.
    func isName(at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "%") || bytes[index] == UInt8(ascii: "\\") else {
            return Self.isName(bytes[index])
        }
        guard let sign = escape(at: index), sign.count > 2, let byte = sign.bytes.first else {
            return false
        }
        return Self.isName(byte) || "[]".utf8.contains(byte)
    }

    static func isName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || SecretNames.isLetter(byte) || SecretNames.isDigit(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Passes over `[]`, `[0]` and `[word]` but for their last bracket.
    private mutating func skipSubscript() -> Bool {
        guard bytes[index] == UInt8(ascii: "[") else { return false }
        let word = bytes[index + 1..<min(index + 32, end)].prefix(while: Self.isName)
        guard word.endIndex < end, bytes[word.endIndex] == UInt8(ascii: "]") else { return false }
        index = word.endIndex
        return true
    }

    /// A name without escapes.
    static func decoded(_ name: ArraySlice<UInt8>) -> String {
        var text = DecodedText(Array(name))
        text = text.decoded(text.bytes.indices, .backslash) ?? text
        text = text.decoded(text.bytes.indices, .percent) ?? text
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Passes over what stands between a name and its value; nil where the name has none.
    mutating func skipMark() -> Mark? {
        let first = index
        var place = index
        // Also the end of `["password"]` and of `AnyHashable("password")`.
        while place < min(first + 16, end), #""'\])"#.utf8.contains(bytes[place]) { place += 1 }
        place = endOfSpaces(place)
        guard place < end, !bytes[first..<place].hasBlankLine,
            bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=")
        else { return nil }
        var mark = bytes[place] == UInt8(ascii: ":") ? Mark.colon : .equals
        let isApart = place > start && !Self.isName(bytes[place - 1])
        place += 1
        while place < end, ":=>".utf8.contains(bytes[place]) {
            let next = place + 1 < end ? bytes[place + 1] : 0
            let isArrow = isApart || next <= 0x20 || next == 0x22 || next == 0x27
            if bytes[place] == UInt8(ascii: ">") {
                // Else it ends a tag.
                if mark == .equals, !isArrow { break }
                mark = .arrow
            }
            place += 1
        }
        index = endOfSpaces(place)
        return mark
    }

    /// Returns the end of spaces and comments.
    private func endOfSpaces(_ place: Int) -> Int {
        var place = place
        while place < end {
            if bytes[place] <= 0x20 {
                place += 1
            } else if bytes[place] == UInt8(ascii: "/"), bytes[place...].starts(with: "/*".utf8) {
                let limit = min(place + Self.sight, end)
                var close = place + 2
                while close < limit, !bytes[close..<limit].starts(with: "*/".utf8) { close += 1 }
                guard close < limit else { return place }
                place = close + 2
            } else {
                break
            }
        }
        return place
    }

    /// Leaves out what a case or a call of a secret's name holds, as in `invalidToken("a")`.
    private mutating func hideArguments(of name: Range<Int>) -> Bool {
        guard index < end, bytes[index] == UInt8(ascii: "("), holdsText(index + 1),
            names.secrecy(of: Self.decoded(bytes[name])) == .always
        else { return false }
        let close = endOfBrackets(index)
        hide(index + 1..<(bytes[close - 1] == UInt8(ascii: ")") ? close - 1 : close))
        return true
    }

    /// Whether there is a string, or nothing but a number, in the parentheses that have begun.
    private func holdsText(_ place: Int) -> Bool {
        let line = bytes[place..<min(place + Self.sight, end)]
        let digits = line.prefix(while: SecretNames.isDigit)
        if !digits.isEmpty, digits.endIndex < line.endIndex {
            return line[digits.endIndex] == UInt8(ascii: ")")
        }
        guard let sign = line.firstIndex(where: { "\"')".utf8.contains($0) || $0 < 0x20 }) else {
            return false
        }
        return bytes[sign] == 0x22 || bytes[sign] == 0x27 && "([:=, ".utf8.contains(bytes[sign - 1])
    }

    /// Passes over the mark behind a URL's scheme, and leaves out who asks.
    mutating func readScheme() {
        // Who mistypes a URL writes one slash or none.
        let isBehindScheme = ["http", "https"].contains { scheme in
            bytes[start..<index].suffix(scheme.utf8.count).map { $0 | 0x20 }
                .elementsEqual(scheme.utf8)
        }
        let marks = ["://"] + (isBehindScheme ? [":/", ":"] : [])
        guard let mark = marks.first(where: { bytes[index..<end].starts(with: $0.utf8) }) else {
            index += 1
            return
        }
        index += mark.utf8.count
        hideUserInformation { _ in true }
    }

    /// Passes over a slash, and leaves out who asks where it begins a URL without a scheme, such as `//ann:a@h`.
    mutating func readSlash() {
        guard bytes[index..<end].starts(with: "//".utf8) else {
            index += 1
            return
        }
        index += 2
        hideUserInformation { $0.contains(UInt8(ascii: ":")) }
    }

    /// Leaves out who asks of the authority that begins here, up to the cut where that is in it.
    private mutating func hideUserInformation(where isOne: (ArraySlice<UInt8>) -> Bool) {
        let authority = bytes[index..<end].prefix { $0 > 0x20 && !"/?#\\\"<>".utf8.contains($0) }
        work += authority.count
        let at = UInt8(ascii: "@")
        let isCutOff = isCut && !authority.isEmpty && isPartOfEscape(authority.endIndex)
        guard let last = isCutOff ? end : authority.lastIndex(of: at), isOne(bytes[index..<last])
        else { return }
        omit(index..<last)
        // Behind these signs may be another value, which may go on behind it.
        let first = authority.prefix { !"',;".utf8.contains($0) }
        if let last = first.lastIndex(of: at) { index = last }
    }

    /// Whether nothing follows, or no more than an escape could be that is cut off, of however many texts in texts; half
    /// an entity is that of another sign.
    private func isPartOfEscape(_ place: Int) -> Bool {
        end - place < 16
            && bytes[place..<end].allSatisfy {
                SecretNames.isLetter($0) || SecretNames.isDigit($0) || "\\#".utf8.contains($0)
                    || $0 < 0x20
            }
    }
}

extension ArraySlice<UInt8> {
    /// Whether there are two ends of lines in spaces.
    var hasBlankLine: Bool {
        guard let line = firstIndex(of: 0x0A) else { return false }
        return self[(line + 1)...].contains(0x0A)
    }
}
