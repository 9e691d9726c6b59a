/// What a text is looked through for, and how far.
extension RedactedText {
    /// The number of times that a text is looked through at most.
    static let passCount = 4

    /// The number of bytes looked ahead for what may be of no use.
    static let sight = 128

    static let placeholder = Array(Redaction.placeholder.utf8)
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    static let percent = UInt8(ascii: "%")
    static let tagEnd = UInt8(ascii: ">")
    static let listStart = UInt8(ascii: "[")

    static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

    /// Whether a byte is one of a word, in whatever language.
    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || SecretNames.isLetter(byte) || SecretNames.isDigit(byte)
            || byte == UInt8(ascii: "_")
    }
    /// The characters that may stand between a name and its mark: also the end of `user[password]`.
    static let quotes = Array("\\\"']".utf8)
}
