/// The ends of values.
extension RedactedText {
    struct Value {
        /// The index of its first byte, its quotes included.
        var start: Int
        /// The range of its bytes, without the quotes.
        var content: Range<Int>
        /// The quotes to stand around its placeholder.
        var quotes: [UInt8] = []
    }

    /// Passes over a value, to where looking ahead ends if it goes on for longer; nil where there is none.
    mutating func skipValue(behind mark: UInt8) -> Value? {
        guard index < bound else { return nil }
        let start = index
        // Within a string of JSON, quotes have a backslash before them.
        while index < bound, bytes[index] == Self.backslash, index < start + 32 { index += 1 }
        if index < bound, bytes[index] == 0x22 || bytes[index] == 0x27 {
            index += 1
            let quotes = bytes[start..<index]
            let content = index
            if isJSON, !isDecoded, quotes.count > 1, quotes.last == 0x22 {
                skipEscapedString(behind: quotes.count - 1)
            } else {
                while index < bound, !bytes[index...].starts(with: quotes) {
                    index += quotes.count == 1 && bytes[index] == Self.backslash ? 2 : 1
                }
            }
            let end = min(index, bound)
            index = min(index + quotes.count, bound)
            return Value(start: start, content: content..<end, quotes: Array(quotes))
        }
        index = start
        let isNested = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
        if isNested { skipNested("{[", "}]") } else { skipWord(behind: mark) }
        let isQuoted = isJSON && mark == Self.colon
        return Value(start: start, content: start..<index, quotes: isQuoted ? [0x22] : [])
    }

    /// Passes over what is in a string in strings, behind whose first quote this is, to the backslashes of its
    /// last one; there are more before a quote that is a part of it.
    private mutating func skipEscapedString(behind backslashes: Int) {
        let level = (~backslashes).trailingZeroBitCount
        while index < bound {
            let start = index
            while index < bound, bytes[index] == Self.backslash { index += 1 }
            guard index < bound else { return }
            if bytes[index] == 0x22, (~(index - start)).trailingZeroBitCount <= level {
                index = max(index - backslashes, start)
                return
            }
            index += 1
        }
    }

    /// Passes over what begins with a bracket, to the one that it ends with.
    mutating func skipNested(_ opening: String, _ closing: String) {
        let (opening, closing) = (Array(opening.utf8), Array(closing.utf8))
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
            case _ where opening.contains(byte): depth += 1
            case _ where closing.contains(byte): depth -= 1
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
                if mark != Self.colon, bytes[index] == 0x20, isScheme(start..<index) {
                    while index < bound, bytes[index] == 0x20 { index += 1 }
                    continue
                }
                if mark != Self.colon, isInWord(index) {
                    index += 1
                    continue
                }
                guard bytes[index] == 0x22, holdsString(start..<index) else { return }
                skipString()
            } else {
                if mark == Self.percent, isEncoded("&;#", at: index) { return }
                if bytes[index] == UInt8(ascii: "("), skipArguments() { continue }
                index += 1
            }
        }
    }

    /// Whether a sign that may end a value without quotes is a part of it: an apostrophe in a word, or a
    /// comma or semicolon that no other pair follows.
    private func isInWord(_ place: Int) -> Bool {
        guard ",;'".utf8.contains(bytes[place]), place + 1 < bound else { return false }
        let next = place + 1
        guard bytes[next] > 0x20, !"\"'\\<>)]}".utf8.contains(bytes[next]) else { return false }
        if bytes[place] == 0x27 { return !",;".utf8.contains(bytes[next]) }
        let end = min(next + Self.sight, bytes.count)
        var name = next
        while name < end, isInName(name) { name += 1 }
        return name == end || ![Self.equals, Self.colon].contains(bytes[name])
    }

    /// Whether a word is one that a credential follows, as in `Authorization=Bearer a`.
    private func isScheme(_ word: Range<Int>) -> Bool {
        if word.count <= 9,
            Self.schemes.contains(String(decoding: bytes[word], as: UTF8.self).lowercased())
        {
            return true
        }
        guard mayHaveScheme, word.count <= 32, let first = bytes[word].first,
            SecretNames.isLetter(first),
            bytes[word].allSatisfy({
                SecretNames.isLetter($0) || SecretNames.isDigit($0) || "-_".utf8.contains($0)
            })
        else { return false }
        // A pair has a name of its own; what is in base64 may end in equals signs.
        let next = bytes[word.upperBound..<bound].prefix(Self.sight)
            .drop { $0 == 0x20 }.prefix { $0 > 0x20 }
        let value = next.drop { $0 != Self.equals }
        return value.allSatisfy { $0 == Self.equals }
    }

    private static let schemes: Set<String> = [
        "apikey", "basic", "bearer", "digest", "dpop", "hmac", "negotiate", "ntlm", "token",
    ]

    /// Passes over further lines of a value of YAML, which are more indented than its name, or the
    /// elements of a list as much.
    mutating func skipBlock(of value: Value, below name: Range<Int>) {
        guard value.start == value.content.lowerBound else { return }
        let mark = bytes[value.content]
        let isBlock = mark.first.map("|>".utf8.contains) ?? false && mark.count <= 3
        let isBelow = bytes[name.upperBound..<value.start].contains(0x0A)
        let isList = isBelow && isItem(value.start)
        // It may stand in a string, as a layer shows.
        guard !isJSON && !isURL ? isBlock || isBelow : isDecoded && (isBlock || isList) else {
            return
        }
        // Only spaces and the sign of a list stand before the name.
        var start = name.lowerBound
        while start > 0, " -\"'".utf8.contains(bytes[start - 1]) { start -= 1 }
        guard isDecoded || start == 0 || bytes[start - 1] == 0x0A else { return }
        let lead = bytes[start..<name.lowerBound]
        let indentation = lead.prefix { $0 == 0x20 }.count
        let mayBeLevel = isList && !lead.contains(UInt8(ascii: "-"))
        if isList { while index < bound, bytes[index] != 0x0A { index += 1 } }
        while index < bound {
            var line = index
            while line < bound, bytes[line] <= 0x20, bytes[line] != 0x0A { line += 1 }
            if line < bound, bytes[line] == 0x0A {
                line += 1
                // Blank lines belong to it where a line of it follows.
                let first = line
                while line < bound, bytes[line] <= 0x20 { line += 1 }
                let text = bytes[first..<line].lastIndex(of: 0x0A).map { $0 + 1 } ?? first
                guard line < bound,
                    line - text > indentation
                        || mayBeLevel && line - text == indentation && isItem(line)
                else { return }
            }
            while line < bound, bytes[line] != 0x0A { line += 1 }
            index = line
        }
    }

    /// Whether an element of a list of YAML begins there.
    private func isItem(_ index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index] == UInt8(ascii: "-") && bytes[index + 1] <= 0x20
    }

    /// Whether a blank line stands between a name and what may be its value: of text, unless that is
    /// indented or an element of a list, it is not, as in `Authorization:` before a body.
    func isBehindBlankLine(_ name: Range<Int>) -> Bool {
        guard !isJSON, index < bytes.count, !"\"'{[\\".utf8.contains(bytes[index]),
            name.lowerBound == 0 || !"\"'".utf8.contains(bytes[name.lowerBound - 1]),
            !isItem(index), let end = bytes[name.upperBound..<index].lastIndex(of: 0x0A)
        else { return false }
        let start = bytes[..<name.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let indentation = bytes[start..<name.lowerBound].prefix { $0 == 0x20 }.count
        return index - end - 1 <= indentation
            && bytes[name.upperBound..<end].contains(0x0A)
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
