import Foundation

/// The words that make a name that of a secret, made ready for looking at many names.
struct SecretNames {
    /// A word, or several without what stood between them, in UTF-8.
    typealias Word = [UInt8]

    /// Those that cover what they are a part of, by their first bytes.
    private var parts: [UInt8: [Word]] = [:]
    private var words: Set<Word> = []
    /// Those that only cover themselves.
    private var whole: Set<Word> = []
    /// Those that would be found in no name otherwise: short ones of several words, and those with an ending of
    /// what is none of secrets.
    private var exact: Set<Word> = []
    /// Those without a word, such as `$`, which only cover themselves.
    private var signs: Set<String> = []

    init(_ names: Set<String>) {
        for name in names {
            let words = Self.words(of: name)
            if words.isEmpty { signs.insert(name) }
            let name = Word(words.joined())
            if words.count > 1 && name.count <= 4 || Self.isHarmless(words) { exact.insert(name) }
            guard let first = name.first else { continue }
            if name.elementsEqual("code".utf8) || name.elementsEqual("key".utf8) {
                whole.insert(name)
            } else if String(decoding: name, as: UTF8.self).count > 4 {
                parts[first, default: []].append(name)
            } else {
                self.words.insert(name)
            }
        }
    }

    /// The names made ready, once only where they are the usual ones.
    static func of(_ names: Set<String>) -> SecretNames {
        names == Redaction.usualNames ? usual : SecretNames(names)
    }

    private static let usual = SecretNames(Redaction.usualNames)

    /// Returns the degree to which a name makes its value a secret.
    func secrecy(of name: String) -> Redaction.Secrecy {
        let words = Self.words(of: name)
        let joined = Word(words.joined())
        if exact.contains(joined) { return .always }
        if words.isEmpty { return signs.contains(name) ? .always : .none }
        if Self.isHarmless(words) { return .none }
        if words.contains(where: self.words.contains) || hasPart(joined) { return .always }
        return whole.contains(joined) ? .ifOpaque : .none
    }

    /// Returns the degree to which the names that a JSON Pointer (RFC 6901) leads by do so, the highest of them.
    func secrecy(ofPointer pointer: String) -> Redaction.Secrecy {
        pointer.split(separator: "/").map { name in
            let plain = name.replacingOccurrences(of: "~1", with: "/")
                .replacingOccurrences(of: "~0", with: "~")
            return secrecy(of: plain)
        }.max() ?? .none
    }

    /// Whether a name's last words say that its value says something about a secret only.
    private static func isHarmless(_ words: [Word]) -> Bool {
        words.last.map(harmlessEndings.contains) ?? false
            || words.suffix(2).elementsEqual(tokenDetails)
    }

    private func hasPart(_ word: Word) -> Bool {
        word.indices.contains { index in
            parts[word[index]]?.contains { word[index...].starts(with: $0) } ?? false
        }
    }

    /// Last words of names whose values say something about a secret only.
    private static let harmlessEndings: Set<Word> = Set(
        ["at", "count", "expiry", "in", "length", "policy", "required", "type"]
            .map { Word($0.utf8) })

    /// Whether a value says how many tokens there were: `"prompt_tokens": 12` is no secret.
    static func isCount(_ value: some BidirectionalCollection<UInt8>, of name: String) -> Bool {
        let digits = value.drop { $0 <= 0x20 }.prefix(10)
        let number = digits.prefix(while: isDigit)
        return !number.isEmpty && number.count < 10
            && value[number.endIndex...].allSatisfy { $0 <= 0x20 }
            && words(of: name).last == tokenDetails[0]
    }

    /// The last words of names of objects that hold such numbers.
    private static let tokenDetails = [Word("tokens".utf8), Word("details".utf8)]

    /// A name's words in one.
    static func joined(_ name: String) -> Word { Word(words(of: name).joined()) }

    /// The words of a name in lower case, without accents.
    ///
    /// Those of `newPassword`, `new-password` and `NEW_PASSWORD` are the same.
    private static func words(of name: String) -> [Word] {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let plain = isASCII ? name : name.decomposedStringWithCanonicalMapping
        let letters = plain.unicodeScalars.compactMap(Letter.init)
        var words: [Word] = []
        var word: Word = []
        for (index, letter) in letters.enumerated() {
            guard !letter.text.isEmpty else {
                end()
                continue
            }
            if letter.isUpper, index > 0 {
                let isBehindLower = !letters[index - 1].isUpper
                let isBeforeLower = index + 1 < letters.count && letters[index + 1].isLower
                if isBehindLower || isBeforeLower { end() }
            }
            word += letter.text
        }
        end()
        return words

        func end() {
            if !word.isEmpty { words.append(word) }
            word = []
        }
    }

    /// A letter or digit of a name, or what stands between two words.
    private struct Letter {
        /// In lower case; empty between words.
        var text: Word = []
        var isUpper = false
        var isLower = false

        /// Nil for an accent.
        init?(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                isUpper = (0x41...0x5A).contains(byte)
                isLower = (0x61...0x7A).contains(byte)
                if isUpper || isLower || SecretNames.isDigit(byte) {
                    text = [isUpper ? byte | 0x20 : byte]
                }
                return
            }
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .format: return nil
            default: break
            }
            isUpper = properties.isUppercase
            isLower = properties.isLowercase
            if properties.isAlphabetic || properties.numericType != nil {
                text = Word(properties.lowercaseMapping.utf8)
            }
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
