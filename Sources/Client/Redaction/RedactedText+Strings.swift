/// The strings that brackets stand in, so that those of a string end nothing around it.
extension RedactedText {
    /// A string that is open.
    struct OpenString {
        /// The number of scopes around it.
        let depth: Int
        /// The number of strings that it is in by the backslashes before its quote.
        let level: Int
    }

    /// Begins or ends a string at a quote; what a string begins ends with it.
    mutating func keepStrings() {
        isJSON && !isDecoded ? keepEscapedStrings() : keepLikelyStrings()
    }

    /// The string that was a name has ended, also in the string around it.
    mutating func endString(behind name: Range<Int>) {
        let quote = bytes[name.upperBound...].prefix(Self.sight).firstIndex {
            $0 != Self.backslash
        }
        guard let quote, bytes[quote] == 0x22 else { return }
        let level = level(of: quote)
        if let last = strings.last, last.level == level { strings.removeLast() }
    }

    /// Of JSON in JSON the backslashes say whose quote it is: none, one, three, seven, each before
    /// as many as four, eight, sixteen further ones are backslashes of the text.
    private mutating func keepEscapedStrings() {
        let level = level(of: index)
        while let last = strings.last, last.level > level { endString() }
        if strings.last?.level == level {
            endString()
        } else {
            strings.append(OpenString(depth: scopes.count, level: level))
        }
    }

    /// Where the quotes of several layers look alike, what stands beside one says which it is.
    private mutating func keepLikelyStrings() {
        let before = bytes[max(index - Self.sight, 0)..<index].last(where: isBeside)
        let behind = bytes[(index + 1)...].prefix(Self.sight).first(where: isBeside)
        if before.map("{[(,:".utf8.contains) ?? true {
            strings.append(OpenString(depth: scopes.count, level: level(of: index)))
        } else if behind.map("}]),:".utf8.contains) ?? true, !strings.isEmpty {
            endString()
        }
    }

    private func isBeside(_ byte: UInt8) -> Bool { byte > 0x20 && byte != Self.backslash }

    private mutating func endString() {
        endScopes(to: strings.removeLast().depth)
    }

    private func level(of quote: Int) -> Int {
        guard isJSON, !isDecoded else { return 0 }
        var start = quote
        while start > 0, bytes[start - 1] == Self.backslash { start -= 1 }
        return (~(quote - start)).trailingZeroBitCount
    }
}
