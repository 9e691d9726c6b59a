/// The ends of values that have no quotes.
///
/// What may be a part of a value is taken for one: more is left out rather than less.
extension RedactedText {
    /// The quote that was open where a value began.
    private enum Opener {
        /// There may be one further away than one looks.
        case unknown
        case none
        /// None since the beginning of a line that is not the text's first one.
        case noneInLine
        /// A quote, and the number of backslashes before it.
        case quote(UInt8, backslashes: Int)
    }

    mutating func skipWord(behind mark: UInt8) {
        if mark != Self.colon {
            skipItem(behind: mark)
        } else if isURL {
            skipPart()
        } else if isJSON, strings.isEmpty, scopes.count == 1, startsWithObject {
            // Behind what was JSON.
            skipLine()
        } else if isJSON || isApart && isNameQuoted(before: index) {
            skipElement()
        } else {
            skipLine()
        }
    }

    /// Whether the name of a value is in quotes.
    private func isNameQuoted(before value: Int) -> Bool {
        let name = bytes[..<value].suffix(Self.sight).last {
            $0 > 0x20 && $0 != Self.colon && $0 != Self.equals && $0 != Self.tagEnd
        }
        return name.map(Self.isQuote) ?? false
    }

    mutating func skipLine() {
        while index < bound, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    }

    /// Passes over what a colon stands before in a URL.
    private mutating func skipPart() {
        while index < bound, !"&/?#<>\"".utf8.contains(bytes[index]) {
            if ",;'".utf8.contains(bytes[index]), !isInWord(index) { return }
            index += 1
        }
    }

    /// Passes over what a colon stands before in JSON or what is written like it; in a string, to the
    /// end of its line or of the string.
    mutating func skipElement() {
        let start = index
        let opener = quoteOpen(before: start)
        while index < bound {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D { return }
            switch opener {
            case .quote(let quote, let count):
                let place = index
                while index < bound, bytes[index] == Self.backslash { index += 1 }
                guard index < bound else { return }
                let backslashes = index - place
                let isEnd =
                    bytes[index] == quote
                    ? backslashes <= count && (quote == 0x22 || !isInWord(index))
                    : backslashes == count + 1 && "nr".utf8.contains(bytes[index])
                if isEnd, isDecoded, quote == 0x22, holdsString(start..<place) {
                    skipString()
                } else if isEnd {
                    index = place
                    return
                } else if bytes[index] != UInt8(ascii: "(") || !skipArguments() {
                    index += 1
                }
            case .noneInLine: index += 1
            case .none where ",}]".utf8.contains(byte): return
            case .unknown where byte == Self.backslash: index = min(index + 2, bound)
            case .none where byte == 0x22, .unknown where byte == 0x22:
                guard holdsString(start..<index) else { return }
                skipString()
            default:
                if byte == UInt8(ascii: "("), skipArguments() { continue }
                index += 1
            }
        }
    }

    /// Passes over what an equals sign stands before.
    mutating func skipItem(behind mark: UInt8) {
        let start = index
        var opener: Opener?
        while index < bound {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&"):
                guard isBracket(behind: index + 1) else { return }
                index += 1
            case UInt8(ascii: "#") where isURL: return
            case 0x20 where isScheme(start..<index):
                while index < bound, bytes[index] == 0x20 { index += 1 }
            case 0x20, 0x09...0x0D: return
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                guard isInWord(index) else { return }
                index += 1
            case UInt8(ascii: "<"):
                if elements.count > 1 || tagName != nil { return }
                index += 1
            case Self.tagEnd:
                if tagDepth != nil { return }
                index += 1
            case 0x22 where holdsString(start..<index): skipString()
            case 0x22, 0x27, Self.backslash:
                let known = opener ?? quoteOpen(before: start)
                opener = known
                guard skipSign(in: known) else { return }
            case Self.percent where mark == Self.percent:
                if isEncoded("&#", at: index), !isBracket(behind: index + 3) { return }
                if isEncoded(";", at: index), isBeforePair(index + 3, encoded: true) { return }
                index += 1
            case UInt8(ascii: "("):
                if !skipArguments() { index += 1 }
            default: index += 1
            }
        }
    }

    /// Passes over a quote or an escape that is a part of a value; false where that ends there.
    private mutating func skipSign(in opener: Opener) -> Bool {
        if isApostropheOfShell(index) {
            index += 4
            return true
        }
        var place = index
        while place < bound, bytes[place] == Self.backslash { place += 1 }
        let backslashes = place - index
        guard place < bound else {
            index = bound
            return true
        }
        guard Self.isQuote(bytes[place]) else {
            if isJSON {
                var count = 0
                if case .quote(0x22, let open) = opener { count = open }
                if backslashes == count + 1, "nrt".utf8.contains(bytes[place]) { return false }
                if backslashes == count + 1, bytes[place...].starts(with: "u0026".utf8) {
                    return false
                }
            }
            index = place
            return true
        }
        guard isPart(place, backslashes, of: opener) else { return false }
        index = place + 1
        return true
    }

    /// Whether an apostrophe in single quotes stands there, as a shell reads it.
    func isApostropheOfShell(_ place: Int) -> Bool {
        bytes[place..<bound].starts(with: #"'\''"#.utf8)
    }

    /// Whether a quote is a part of the value that it stands in.
    private func isPart(_ place: Int, _ backslashes: Int, of opener: Opener) -> Bool {
        let next = place + 1
        let quote = bytes[place]
        if isJSON, !isDecoded, quote == 0x22, backslashes == 0 { return false }
        if next < bound, Self.isLetter(bytes[next]) { return true }
        switch opener {
        case .unknown: return quote == 0x27
        case .none, .noneInLine: return true
        case .quote(quote, let count): return backslashes > count
        case .quote(0x22, _): return true
        case .quote:
            return next < bound && bytes[next] > 0x20 && !",;)]}".utf8.contains(bytes[next])
        }
    }

    /// Returns the quote that is open in the line before a value.
    private func quoteOpen(before start: Int) -> Opener {
        let line = max(start - Self.sight, 0)
        var place = start
        while place > line {
            place -= 1
            if bytes[place] == 0x0A { return .noneInLine }
            guard Self.isQuote(bytes[place]) else { continue }
            var before = place
            while before > 0, bytes[before - 1] == Self.backslash { before -= 1 }
            let isBegin =
                before == 0 || bytes[before - 1] <= 0x20
                || "([{<,:=>;&?|".utf8.contains(bytes[before - 1])
            let isApostrophe =
                before > 0 && Self.isLetter(bytes[before - 1]) && Self.isLetter(bytes[place + 1])
            if isBegin { return .quote(bytes[place], backslashes: place - before) }
            guard !isApostrophe else { continue }
            // The last of a string in a string, but for that of the value's own name.
            let isInString =
                isJSON && !isDecoded && bytes[place] == 0x22 && place > before
                && bytes[place + 1..<start].contains {
                    Self.isLetter($0) && !"nrt".utf8.contains($0)
                }
            return isInString ? .quote(0x22, backslashes: (place - before - 1) / 2) : .none
        }
        return line == 0 ? .none : .unknown
    }

    /// Whether a sign that may end a value without quotes is a part of it: an apostrophe in a word, or a
    /// comma or semicolon that no other pair follows.
    func isInWord(_ place: Int) -> Bool {
        let next = place + 1
        guard next < bound, bytes[next] > 0x20 else { return false }
        return bytes[place] == 0x27 ? Self.isLetter(bytes[next]) : !isBeforePair(next)
    }

    /// Whether an ampersand begins the entity of a bracket, which separates nothing.
    private func isBracket(behind place: Int) -> Bool {
        let name = bytes[min(place, bound)..<bound].prefix(2)
        guard name.elementsEqual("lt".utf8) || name.elementsEqual("gt".utf8), name.endIndex < bound
        else { return false }
        return bytes[name.endIndex] == UInt8(ascii: ";") || isEncoded(";", at: name.endIndex)
    }

    /// Whether a name and an equals sign stand there.
    private func isBeforePair(_ place: Int, encoded: Bool = false) -> Bool {
        let end = min(place + Self.sight, bytes.count)
        var name = place
        while name < end, isInName(name) { name += bytes[name] == Self.percent ? 3 : 1 }
        return name > place && name < end
            && (encoded ? isEncoded("=", at: name) : bytes[name] == Self.equals)
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
