/// The ends of values.
extension RedactedText {
    struct Value {
        /// The index of its first byte, its quotes included.
        var start: Int
        /// The range of its bytes, without the quotes.
        var content: Range<Int>
        /// The quotes to stand around its placeholder.
        var quotes: [UInt8] = []
        var kind: Kind

        /// What tells where a value ends.
        enum Kind {
            case single, double, nested, word
        }
    }

    /// Passes over a value, to where looking ahead ends if it goes on for longer; nil where there is none.
    mutating func skipValue(behind mark: UInt8) -> Value? {
        guard index < bound else { return nil }
        let start = index
        // Within a string of JSON, quotes have a backslash before them.
        while index < bound, bytes[index] == Self.backslash, index < start + 32 { index += 1 }
        if index < bound, Self.isQuote(bytes[index]), !isApostropheOfShell(start) {
            index += 1
            let quotes = bytes[start..<index]
            let content = index
            if isJSON, !isDecoded, quotes.count > 1, quotes.last == 0x22 {
                skipEscapedString(behind: quotes.count - 1)
            } else {
                skipQuoted(quotes)
            }
            let end = min(index, bound)
            index = min(index + quotes.count, bound)
            if quotes.count == 1, mark != Self.colon, !isJSON || quotes.last == 0x27, goesOn() {
                let closed = index
                index = start
                skipItem(behind: mark)
                index = max(index, closed)
                return Value(start: start, content: start..<index, kind: .word)
            }
            let kind: Value.Kind = quotes.last == 0x22 ? .double : .single
            return Value(
                start: start, content: content..<end, quotes: Array(quotes), kind: kind)
        }
        index = start
        let isNested = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
        if isNested { skipNested("{[", "}]") } else { skipWord(behind: mark) }
        let isQuoted = isJSON && mark == Self.colon
        return Value(
            start: start, content: start..<index, quotes: isQuoted ? [0x22] : [],
            kind: isNested ? .nested : .word)
    }

    /// Passes over what is in quotes, to the last of them.
    ///
    /// A quote that is doubled, as in SQL, or that a letter is behind, ends nothing.
    private mutating func skipQuoted(_ quotes: ArraySlice<UInt8>) {
        let isAlone = quotes.count == 1
        let quote = quotes.last ?? 0
        let mayBePart = isAlone && (quote == 0x27 || !isJSON)
        while index < bound {
            let byte = bytes[index]
            if byte == quotes.first, bytes[index..<bound].starts(with: quotes) {
                let next = index + 1
                guard mayBePart else { return }
                if next < bound, bytes[next] == byte, byte == 0x27 || !isDecoded {
                    index += 2
                    continue
                }
                guard isWord(behind: next) else { return }
                index += 1
            } else if isAlone, byte == Self.backslash {
                // A backslash may be one, before a quote that is doubled.
                let isDoubled = mayBePart && bytes[(index + 1)...].starts(with: [quote, quote])
                index += isDoubled ? 3 : 2
            } else {
                index += 1
            }
        }
    }

    /// Whether what stands behind the last quote of an item is neither its end nor a separator.
    private func goesOn() -> Bool {
        var next = index
        while next < bound, ")]}".utf8.contains(bytes[next]) { next += 1 }
        guard next < bound, bytes[next] > 0x20 else { return false }
        switch bytes[next] {
        case UInt8(ascii: ","), UInt8(ascii: ";"): return isInWord(next)
        case 0x22, 0x27: return next + 1 < bound && Self.isLetter(bytes[next + 1])
        case UInt8(ascii: "/"): return !bytes[next...].starts(with: "/>".utf8)
        default: return !"&<>|".utf8.contains(bytes[next])
        }
    }

    /// Whether a word goes on behind a quote, be there brackets that close between them.
    private func isWord(behind quote: Int) -> Bool {
        var next = quote
        while next < min(quote + 8, bound), ")]}".utf8.contains(bytes[next]) { next += 1 }
        guard next < bound else { return false }
        return Self.isLetter(bytes[next]) || bytes[next] == Self.percent
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

    /// Passes over the rest of a line or a word of a shell that a name begins, where what was taken for a
    /// value in quotes or brackets is a part of one, and over the lines that a field of a head is folded
    /// into.
    mutating func skipRest(of value: inout Value, behind name: Range<Int>) {
        guard !isURL, bytes[name.upperBound] == Self.colon else { return }
        if isJSON { return skipRestOfString(of: &value, behind: name) }
        var start = name.lowerBound
        while start > 0, " \t>-*|".utf8.contains(bytes[start - 1]) { start -= 1 }
        let quote = start > 0 && Self.isQuote(bytes[start - 1]) ? bytes[start - 1] : 0x0A
        let isInTag = name.lowerBound > start && bytes[name.lowerBound - 1] == Self.tagEnd
        guard start == 0 || bytes[start - 1] == quote || isInTag else { return }
        if value.kind != .word {
            let rest = bytes[index..<bound].prefix { $0 != 0x0A && $0 != 0x0D && $0 != quote }
            guard rest.contains(where: { $0 > 0x20 && !",;)]}".utf8.contains($0) }) else { return }
            skipLine()
            value = Value(start: value.start, content: value.start..<index, kind: .word)
        }
        let indentation = isInTag ? 0 : name.lowerBound - start
        while index < bound {
            let end = bytes[index..<bound].firstIndex(of: 0x0A) ?? bound
            guard bytes[index..<end].allSatisfy({ $0 <= 0x20 }), end < bound else { return }
            // Lines of spaces belong to it where a line of it follows.
            var line = end + 1
            while true {
                let space = bytes[line..<bound].prefix { $0 == 0x20 || $0 == 0x09 }
                guard space.count > indentation, space.endIndex < bound else { return }
                line = space.endIndex
                if bytes[line] > 0x20 { break }
                guard let next = bytes[line..<bound].firstIndex(where: { $0 != 0x0D }),
                    bytes[next] == 0x0A
                else { return }
                line = next + 1
            }
            index = line
            skipLine()
        }
    }

    /// The same of a line in a string of JSON.
    private mutating func skipRestOfString(of value: inout Value, behind name: Range<Int>) {
        guard value.kind != .word, isDecoded || value.quotes.count != 1, name.lowerBound > 0 else {
            return
        }
        let (before, first) = (bytes[name.lowerBound - 1], bytes[name.lowerBound])
        let isLine =
            before == 0x0A || Self.isQuote(before)
            || before == Self.backslash && "nr".utf8.contains(first)
        let rest = bytes[index..<bound].drop { $0 == 0x20 || $0 == Self.backslash }
        guard let next = rest.first, next > 0x20, !Self.isQuote(next),
            rest.startIndex == index || bytes[rest.startIndex - 1] != Self.backslash
                || !"nr".utf8.contains(next),
            isLine || !",;)]}".utf8.contains(next)
        else { return }
        let end = index
        index = value.start
        skipElement()
        index = max(index, end)
        value = Value(start: value.start, content: value.start..<index, kind: .word)
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
}
