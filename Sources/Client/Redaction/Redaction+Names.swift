extension Redaction {
    /// How far a name makes its value a secret.
    enum Secrecy {
        /// Not at all.
        case none
        /// Where the value looks like a credential.
        case ifOpaque
        /// Whatever the value is.
        case always
    }

    /// Whether what stands behind a name is to be hidden.
    func secrecy(of name: String) -> Secrecy {
        let words = Self.words(of: name)
        guard let last = words.last, !Self.harmlessEndings.contains(last) else { return .none }
        let joined = words.joined()
        for entry in names {
            let entry = Self.words(of: entry).joined()
            if entry == "code" || entry == "key" {
                if joined == entry { return .ifOpaque }
            } else if entry.utf8.count > 4 ? joined.contains(entry) : words.contains(entry) {
                return .always
            }
        }
        return .none
    }

    /// Whether a value could be a key or a token: nothing that a person would have written.
    static func isOpaque(_ value: some Collection<UInt8>) -> Bool {
        value.count >= 16 && value.allSatisfy { $0 > 0x20 }
            && value.contains { Self.isDigit($0) } && value.contains { Self.isLetter($0) }
    }

    /// Last words of names whose values say something about a secret only.
    private static let harmlessEndings: Set<String> = [
        "at", "count", "expiry", "in", "length", "policy", "required", "type",
    ]

    /// The words of a name in lower case, without what is not ASCII.
    ///
    /// Those of `newPassword`, `new-password` and `NEW_PASSWORD` are the same.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let bytes = Array(name.utf8)
        for (index, byte) in bytes.enumerated() {
            guard isLetter(byte) || isDigit(byte) else {
                if byte < 0x80 { end() }
                continue
            }
            if isUpper(byte), index > 0 {
                let isBehindLower = !isUpper(bytes[index - 1])
                let isBeforeLower = index + 1 < bytes.count && isLower(bytes[index + 1])
                if isBehindLower || isBeforeLower { end() }
            }
            word.unicodeScalars.append(Unicode.Scalar(isUpper(byte) ? byte | 0x20 : byte))
        }
        end()
        return words

        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
    private static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
