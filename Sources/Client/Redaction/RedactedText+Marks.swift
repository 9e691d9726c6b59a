import Foundation

extension RedactedText {
    /// Passes over what stands between a name and its value, and returns the sign among it: a colon also
    /// for arrows, a percent sign for an equals sign that is percent-encoded.
    mutating func skipMark() -> UInt8? {
        let nameEnd = index
        let end = min(index + Self.sight, bytes.count)
        while index < end {
            if Self.quotes.contains(bytes[index]) {
                index += 1
            } else if isEncoded("]", at: index) {
                index += 3
            } else if bytes[index] == UInt8(ascii: ")"), Self.quotes.contains(bytes[index - 1]) {
                // As in `AnyHashable("password")`.
                index += 1
            } else if !skipSubscript() {
                break
            }
        }
        skipSpaces()
        // Behind an empty line is something else, such as the part of a form that has the name.
        guard index < bytes.count, !bytes[nameEnd..<index].hasBlankLine else { return nil }
        var mark = bytes[index]
        if isEncoded("=", at: index) {
            index += 3
            return Self.percent
        }
        guard mark == Self.colon || mark == Self.equals else { return nil }
        let isArrow = index > 0 && !isInName(index - 1) || isArrowBeforeValue
        index += 1
        while index < bytes.count, [Self.colon, Self.equals, Self.tagEnd].contains(bytes[index]) {
            if bytes[index] == Self.tagEnd, isArrow { mark = Self.colon }
            index += 1
        }
        skipSpaces()
        return mark
    }

    /// Whether an arrow is one, rather than an equals sign before a value.
    private var isArrowBeforeValue: Bool {
        index + 2 < bytes.count && bytes[index + 1] == Self.tagEnd
            && (bytes[index + 2] <= 0x20 || Self.isQuote(bytes[index + 2]))
    }

    /// Passes over `[]`, `[0]` and `[word]`, percent-encoded or not.
    private mutating func skipSubscript() -> Bool {
        let isEncoded = isEncoded("[", at: index)
        guard isEncoded || bytes[index] == UInt8(ascii: "[") else { return false }
        var end = index + (isEncoded ? 3 : 1)
        let limit = min(end + 32, bytes.count)
        while end < limit, bytes[end] != Self.percent, isInName(end) { end += 1 }
        guard end < bytes.count else { return false }
        if isEncoded, self.isEncoded("]", at: end) {
            index = end + 3
        } else if !isEncoded, bytes[end] == UInt8(ascii: "]") {
            index = end + 1
        } else {
            return false
        }
        return true
    }

    /// Passes over spaces and, as far as is looked ahead, comments.
    private mutating func skipSpaces() {
        let end = min(index + Self.sight, bytes.count)
        while index < bytes.count {
            if bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) {
                // A name and its value are in the same string.
                if isApart, bytes[index] == 0x0A { return }
                index += 1
            } else if bytes[index...].starts(with: "/*".utf8) {
                var close = index + 2
                while close < end, !bytes[close...].starts(with: "*/".utf8) { close += 1 }
                guard close < end else { return }
                index = close + 2
            } else if let end = endOfEscapedSpaces() {
                index = end
            } else {
                return
            }
        }
    }

    /// Returns the end of spaces, of which some are escaped, where a mark or a value is behind them.
    private func endOfEscapedSpaces() -> Int? {
        let end = min(index + Self.sight, bytes.count)
        var place = index
        while place < end {
            if bytes[place] <= 0x20 {
                place += 1
                continue
            }
            var sign = place
            while sign < end, bytes[sign] == Self.backslash { sign += 1 }
            guard sign < end else { return nil }
            if sign > place, "nrt".utf8.contains(bytes[sign]) {
                place = sign + 1
            } else {
                let isBegin =
                    Self.isQuote(bytes[sign]) || sign == place && ":={[".utf8.contains(bytes[sign])
                return isBegin && place > index ? place : nil
            }
        }
        return nil
    }

    /// Whether one of some signs stands there percent-encoded.
    func isEncoded(_ signs: String, at index: Int) -> Bool {
        guard let byte = decodedByte(at: index) else { return false }
        return signs.utf8.contains(byte)
    }

    /// Returns the byte that is percent-encoded at an index; nil where none is.
    func decodedByte(at index: Int) -> UInt8? {
        guard bytes[index] == Self.percent, index + 2 < bytes.count else { return nil }
        return UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
    }
}

extension RedactedText {
    /// Passes over a name, with escapes and whatever is not ASCII in it; in quotes it may hold spaces.
    mutating func skipName() -> Bool {
        guard isInName(index), bytes[index] != UInt8(ascii: "-"), bytes[index] != UInt8(ascii: ".")
        else { return false }
        if let end = endOfQuotedName() {
            index = end
            return true
        }
        while index < bytes.count, isInName(index) {
            index += bytes[index] == Self.backslash ? 6 : 1
        }
        index = min(index, bytes.count)
        return true
    }

    func isInName(_ index: Int) -> Bool {
        let byte = bytes[index]
        switch byte {
        case Self.backslash:
            return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u")
        case Self.percent:
            return decodedByte(at: index).map(Self.isInName) ?? false
        default:
            return Self.isInName(byte)
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || SecretNames.isLetter(byte) || SecretNames.isDigit(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Returns the end of a name that a quote stands before; nil where what is in quotes is none.
    private func endOfQuotedName() -> Int? {
        guard index > 0, bytes[index - 1] == 0x22 || bytes[index - 1] == 0x27 else { return nil }
        let quote = bytes[index - 1]
        let sight = bytes[index..<min(index + Self.sight, bytes.count)]
        guard var end = sight.firstIndex(where: { $0 == quote || $0 == 0x0A || $0 == 0x0D }),
            bytes[end] == quote,
            !sight[..<end].contains(where: { $0 == Self.colon || $0 == Self.equals }),
            // An apostrophe is in a word, or begins what has no quotes in it.
            quote == 0x22
                || !sight[..<end].contains(0x22)
                    && (index < 2 || !Self.isInName(bytes[index - 2]))
        else { return nil }
        var ahead = self
        ahead.index = end
        guard ahead.skipMark() != nil else { return nil }
        while end > index, bytes[end - 1] == Self.backslash { end -= 1 }
        return end > index ? end : nil
    }

    /// A name without the escapes of JSON and of URLs.
    static func decoded(_ name: ArraySlice<UInt8>) -> String {
        let text = String(decoding: name, as: UTF8.self)
        guard name.contains(where: { $0 == backslash || $0 == percent }) else { return text }
        let plain = text.replacing(/\\u([0-9A-Fa-f]{4})/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
        return plain.removingPercentEncoding ?? plain
    }
}

extension ArraySlice<UInt8> {
    /// Whether there are two ends of lines in spaces.
    fileprivate var hasBlankLine: Bool {
        guard let line = firstIndex(of: 0x0A) else { return false }
        return self[(line + 1)...].contains(0x0A)
    }
}
