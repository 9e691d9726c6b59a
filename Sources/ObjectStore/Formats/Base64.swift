import Foundation

/// Bytes in text (RFC 4648, section 4).
enum Base64 {
    /// The bytes, nil where the text is no such ones.
    ///
    /// Foundation takes padding alone for a byte on some systems.
    static func data(_ text: String) -> Data? {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }
        return padding.count > 2 ? nil : Data(base64Encoded: text)
    }
}
