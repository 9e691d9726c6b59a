extension Redaction {
    /// The degree to which a name makes its value a secret.
    enum Secrecy {
        /// Not at all.
        case none
        /// In JSON and text, only if the value looks like a credential.
        case ifOpaque
        /// Whatever the value is.
        case always
    }

    /// Whether what stands behind a name is to be hidden.
    func secrecy(of name: String) -> Secrecy {
        SecretNames(names).secrecy(of: name)
    }

    /// Whether a value could be a key or a token: nothing that a person would have written.
    static func isOpaque(_ value: some Collection<UInt8>) -> Bool {
        value.count >= 16 && value.allSatisfy { $0 > 0x20 }
            && value.contains(where: SecretNames.isDigit)
            && value.contains(where: SecretNames.isLetter)
    }
}
