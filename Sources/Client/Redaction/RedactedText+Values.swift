import Foundation

/// The ends of values. What may be a part of a value is taken for one: more is left out rather than
/// less.
extension RedactedText {
    /// A value, and what is to be left out of it.
    private struct Value {
        let content: Range<Int>
        /// The index behind it and its quotes.
        let end: Int
        let isQuoted: Bool

        init(from first: Int, to end: Int) {
            (content, self.end, isQuoted) = (first..<max(first, end), end, false)
        }

        /// What stands between two quotes.
        init(in quotes: Range<Int>) {
            content = quotes.lowerBound + 1..<quotes.upperBound
            (end, isQuoted) = (quotes.upperBound + 1, true)
        }
    }

    /// Reads what stands behind a name and its mark, and leaves it out where it is secret.
    mutating func readValue(of name: Range<Int>, isQuoted: Bool) {
        let nameEnd = index
        guard let mark = skipMark() else {
            if isQuoted { hidePair(of: name) }
            return
        }
        let first = index
        defer { if hiddenEnd <= first { index = nameEnd } }
        let word = Self.decoded(bytes[name])
        if name.lowerBound < hiddenEnd {
            // What has been left out may end too early, as a string may have lines.
            guard first < end, bytes[first] == 0x22 || bytes[first] == 0x27,
                names.secrecy(of: word) == .always
            else { return }
            let close = endOfString(first)
            if close >= hiddenEnd { hide(first..<min(close + 1, end)) }
            return
        }
        let secrecy = secrecy(of: word, behind: mark)
        // The end of `["password"]` ends what it is in.
        for byte in bytes[nameEnd..<first] where secrecy != .none && (byte == 0x5D || byte == 0x29)
        {
            endFrame(byte)
        }
        let place = Place(
            index: first, mark: mark, name: isQuoted ? nil : name, word: word,
            kind: frame.kind, isElement: false)
        hideValue(at: place, secrecy)
    }

    /// Where a value begins, and what is known of it.
    struct Place {
        let index: Int
        let mark: Mark
        /// The place of its name, where that is not in quotes.
        let name: Range<Int>?
        let word: String
        /// The bracket that it is in.
        let kind: UInt8
        /// Whether it is the text of an element.
        let isElement: Bool

        var isInBrackets: Bool { kind == 0x7B || kind == 0x5B || kind == 0x28 }
    }

    /// Leaves out the value that begins somewhere.
    mutating func hideValue(at place: Place, _ secrecy: Redaction.Secrecy) {
        guard secrecy != .none, place.index < end else { return }
        if secrecy == .ifOpaque, place.mark != .equals || isCodeOfError(place), !hasGrants,
            !isOpaque(place.index)
        {
            return
        }
        guard let value = value(at: place) else { return }
        let content = bytes[value.content]
        if Self.isPlain(content) || SecretNames.isCount(content, of: place.word) { return }
        let isObject = place.kind == 0x7B || place.kind == 0x5B
        if isSource, isObject, place.name == nil, place.mark == .colon, !value.isQuoted {
            hide(value.content, for: [0x22] + Self.placeholder + [0x22])
        } else {
            hide(value.content)
        }
        hiddenEnd = max(hiddenEnd, value.end)
    }

    /// Whether a value is the number of an `NSError`, as that describes itself:
    /// `Error Domain=NSURLErrorDomain Code=-1009 "…"`.
    private func isCodeOfError(_ place: Place) -> Bool {
        guard let name = place.name, bytes[name].elementsEqual("Code".utf8) else { return false }
        let before = bytes[start..<name.lowerBound].suffix(Self.sight).split(separator: 0x20)
        guard before.count > 1, before[before.count - 2].suffix(5).elementsEqual("Error".utf8),
            before[before.count - 1].starts(with: "Domain=".utf8)
        else { return false }
        let number = bytes[place.index..<end].prefix(12).prefix { $0 > 0x20 }
        let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
        return !digits.isEmpty && digits.count < 11 && digits.allSatisfy(SecretNames.isDigit)
    }

    /// Whether a value says nothing: such are shown.
    static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
        value.count < 6
            && ["", "true", "false", "null"].contains { value.elementsEqual($0.utf8) }
    }

    /// Whether a value looks like a key or a token.
    func isOpaque(_ place: Int) -> Bool {
        let rest = bytes[place..<min(place + Self.sight, end)].drop { $0 == 0x22 || $0 == 0x27 }
        return Redaction.isOpaque(rest.prefix { $0 > 0x20 && !"\"',}]&<%\\".utf8.contains($0) })
    }

    private mutating func value(at place: Place) -> Value? {
        let first = place.index
        let quote = bytes[first]
        let isString =
            (quote == 0x22 || quote == 0x27)
            && !bytes[first..<end].starts(with: Self.apostropheOfShell)
        if isString, place.mark == .equals || place.isInBrackets || place.name == nil {
            let close = endOfString(first, atFirst: place.kind == Frame.tag)
            return close < end
                ? Value(in: first..<close) : Value(from: first, to: end)
        }
        if place.mark == .equals { return Value(from: first, to: endOfItem(at: place)) }
        if isURL { return Value(from: first, to: endOfPart(first)) }
        if place.isInBrackets {
            let isNested = quote == UInt8(ascii: "{") || quote == UInt8(ascii: "[")
            let last = isNested ? endOfBrackets(first) : endOfElement(at: place)
            return Value(from: first, to: last)
        }
        return line(at: place, isString)
    }

    /// A value that is a line, and those below that belong to it.
    private mutating func line(at place: Place, _ isString: Bool) -> Value? {
        let first = place.index
        let name = place.name ?? first..<first
        let column = column(of: name.lowerBound)
        let before = bytes[name.upperBound..<first]
        let isList = isItem(first)
        let indentation = before.lastIndex(of: 0x0A).map { first - $0 - 1 } ?? 0
        if !isString, !isList, before.hasBlankLine, indentation <= column { return nil }
        var last = first
        if isString {
            last = endOfString(first, atFirst: true)
            let rest = last < end ? bytes[last + 1..<endOfLine(last)] : []
            let isWhole = rest.allSatisfy { $0 <= 0x20 || ",;)]}".utf8.contains($0) }
            let folded = endOfLines(endOfLine(last), column, isList)
            if isWhole, last < end, folded == endOfLine(last) {
                return Value(in: first..<last)
            }
        } else if bytes[first] == UInt8(ascii: "{") || bytes[first] == UInt8(ascii: "[") {
            last = endOfBrackets(first)
        }
        let lineEnd = endOfLine(last)
        if frames.count > 1, let tag = tag(in: first..<lineEnd) {
            return Value(from: first, to: tag)
        }
        return Value(from: first, to: endOfLines(lineEnd, column, isList))
    }

    /// Returns where an end tag begins, in an element.
    private func tag(in line: Range<Int>) -> Int? {
        guard frame.kind == Frame.element else { return nil }
        return bytes[line].firstIndex(of: UInt8(ascii: "<"))
    }

    private mutating func endOfLine(_ place: Int) -> Int {
        let last = bytes[min(place, end)..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
        work += last - place
        return last
    }

    /// Returns the end of the lines that are more indented than a name; of a list, as much.
    private mutating func endOfLines(_ lineEnd: Int, _ column: Int, _ isList: Bool) -> Int {
        var last = lineEnd
        var place = lineEnd
        while place < end {
            let first = place
            while place < end, bytes[place] <= 0x20 { place += 1 }
            guard place < end, let line = bytes[first..<place].lastIndex(of: 0x0A) else { break }
            let indentation = place - line - 1
            guard indentation > column || isList && indentation == column && isItem(place) else {
                break
            }
            place = endOfLine(place)
            last = place
        }
        work += place - lineEnd
        return last
    }

    /// The number of spaces and signs of a list before a name in its line.
    private func column(of name: Int) -> Int {
        let line = bytes[max(start, name - Self.sight)..<name].lastIndex(of: 0x0A).map { $0 + 1 }
        let lead = bytes[(line ?? start)..<max(name, line ?? start)]
        return lead.prefix { " \t-".utf8.contains($0) }.count
    }

    /// Whether an element of a list of YAML begins there.
    private func isItem(_ place: Int) -> Bool {
        place + 1 < end && bytes[place] == UInt8(ascii: "-") && bytes[place + 1] <= 0x20
    }

    /// Returns the end of what a colon stands before in a URL.
    private func endOfPart(_ first: Int) -> Int {
        bytes[first..<end].firstIndex { "&/?#".utf8.contains($0) } ?? end
    }

    /// Returns the end of what begins with a bracket.
    mutating func endOfBrackets(_ first: Int, to limit: Int? = nil) -> Int {
        let limit = limit ?? end
        var (place, depth) = (first, 0)
        defer { work += place - first }
        while place < limit {
            switch bytes[place] {
            case 0x22: place = min(endOfString(place, atFirst: true), limit)
            // Else it is an apostrophe.
            case 0x27 where "{[(,: ".utf8.contains(bytes[place - 1]):
                place = min(endOfString(place), limit)
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
            default: break
            }
            place = min(place + 1, limit)
            if depth == 0 { return place }
        }
        return end
    }

    /// Returns the end of an element of a list or of an object; of one whose name begins a line,
    /// that of the line.
    private mutating func endOfElement(at place: Place) -> Int {
        if let name = place.name,
            name.lowerBound - column(of: name.lowerBound) == start
                || bytes[start..<name.lowerBound].suffix(Self.sight).reversed()
                    .first(where: { !" \t-[".utf8.contains($0) }) == 0x0A
        {
            return endOfLine(place.index)
        }
        var index = place.index
        defer { work += index - place.index }
        while index < end {
            switch bytes[index] {
            case 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"),
                UInt8(ascii: ")"):
                return index
            // What is behind it in the value is found without its escapes.
            case UInt8(ascii: "&") where escape(at: index) != nil: return index
            case 0x22: index = min(endOfString(index, atFirst: true) + 1, end)
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
                index = endOfBrackets(index)
            default: index += 1
            }
        }
        return end
    }

    /// Returns the end of what an equals sign stands before.
    private mutating func endOfItem(at place: Place) -> Int {
        var index = place.index
        if bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[") {
            index = endOfBrackets(index)
        }
        defer { work += index - place.index }
        var hasParameters = false
        let isInElement = frames.suffix(16).contains { $0.kind == Frame.element }
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "&"): return index
            case UInt8(ascii: "#") where isURL: return index
            case 0x20 where isScheme(place.index..<index, of: place.word):
                while index < end, bytes[index] == 0x20 { index += 1 }
                hasParameters = isParameter(index)
            case 0...0x20: return index
            case UInt8(ascii: ",") where hasParameters:
                let next = bytes[(index + 1)..<end].prefix { $0 == 0x20 }.endIndex
                if !isParameter(next) { return index }
                index = next
            case 0x22 where hasParameters: index = min(endOfString(index) + 1, end)
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                if isSeparator(index) { return index }
                index += 1
            case UInt8(ascii: "<") where isInElement: return index
            case UInt8(ascii: ">") where place.kind == Frame.tag: return index
            case UInt8(ascii: "("):
                let line = min(index + Self.sight, end)
                let close = endOfBrackets(index, to: line)
                index = close < line ? close : index + 1
            default: index += 1
            }
        }
        return end
    }

    /// Whether a word is one that a credential follows, as in `Authorization=Bearer a`.
    private func isScheme(_ word: Range<Int>, of name: String) -> Bool {
        let scheme = String(decoding: bytes[word].prefix(32), as: UTF8.self).lowercased()
        if Self.schemes.contains(scheme) { return true }
        guard SecretNames.joined(name).suffix(13).elementsEqual("authorization".utf8),
            word.count <= 32, bytes[word].allSatisfy({ Self.isName($0) && $0 < 0x80 })
        else { return false }
        // A pair has a name of its own; what is in base64 may end in equals signs.
        let next = bytes[word.upperBound..<min(word.upperBound + Self.sight, end)]
            .drop { $0 == 0x20 }.prefix { $0 > 0x20 }
        return next.drop { $0 != UInt8(ascii: "=") }.allSatisfy { $0 == UInt8(ascii: "=") }
    }

    /// Whether one of a credential's parameters begins there, as in `Digest username="ann", response="a"`.
    private func isParameter(_ place: Int) -> Bool {
        let word = bytes[place..<min(place + Self.sight, end)].prefix(while: Self.isName)
        let rest = bytes[word.endIndex..<end].prefix(2)
        return !word.isEmpty && rest.first == UInt8(ascii: "=")
            && rest.last.map { $0 > 0x20 && !"=,;".utf8.contains($0) } == true && rest.count == 2
    }

    private static let schemes: Set<String> = [
        "apikey", "basic", "bearer", "digest", "dpop", "hmac", "negotiate", "ntlm", "token",
    ]
}
