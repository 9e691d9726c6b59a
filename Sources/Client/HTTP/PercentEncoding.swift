import Foundation

/// Writes text so that a URL or a form can carry it.
enum PercentEncoding {
    /// A query of `name=value` pairs; everything but RFC 3986's unreserved characters is encoded.
    static func query(_ items: [URLQueryItem]) -> String {
        joined(items) { append($0, to: &$1, where: isUnreserved) }
    }

    /// The same by the URL standard's rules for forms: a space is a plus sign.
    static func form(_ items: [URLQueryItem]) -> String {
        joined(items) { text, result in
            for (index, part) in text.split(separator: " ", omittingEmptySubsequences: false)
                .enumerated()
            {
                if index > 0 { result.append("+") }
                append(part, to: &result, where: isUnreservedInForms)
            }
        }
    }

    /// Text as one part of a URL; everything but RFC 3986's unreserved characters is encoded.
    static func part(_ text: String) -> String {
        var result = ""
        append(text[...], to: &result, where: isUnreserved)
        return result
    }

    /// Encodes what no part of a URL may hold, and leaves what is encoded already as it is.
    static func completing(_ text: Substring) -> String {
        if text.utf8.allSatisfy(isAllowedInURL) { return String(text) }
        return completing(bytes: text.utf8)
    }

    /// The same of text in any encoding whose ASCII is ASCII.
    static func completing(bytes: some Collection<UInt8>) -> String {
        var result = ""
        result.reserveCapacity(bytes.count)
        var bytes = bytes[...]
        while let byte = bytes.popFirst() {
            let isEscape = bytes.prefix(2).count == 2 && bytes.prefix(2).allSatisfy(isHexDigit)
            if byte == UInt8(ascii: "%") ? isEscape : isAllowedInURL(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                appendEscape(byte, to: &result)
            }
        }
        return result
    }

    private static func joined(
        _ items: [URLQueryItem], _ append: (Substring, inout String) -> Void
    ) -> String {
        var result = ""
        for (index, item) in items.enumerated() {
            if index > 0 { result.append("&") }
            append(item.name[...], &result)
            guard let value = item.value else { continue }
            result.append("=")
            append(value[...], &result)
        }
        return result
    }

    private static func append(
        _ text: Substring, to result: inout String, where isLiteral: (UInt8) -> Bool
    ) {
        for byte in text.utf8 {
            if isLiteral(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                appendEscape(byte, to: &result)
            }
        }
    }

    private static func appendEscape(_ byte: UInt8, to result: inout String) {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        result.append("%")
        result.unicodeScalars.append(digits[Int(byte >> 4)])
        result.unicodeScalars.append(digits[Int(byte & 15)])
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~".utf8.contains(byte)
    }

    private static func isUnreservedInForms(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "*-._".utf8.contains(byte)
    }

    /// Whether a URL may hold a byte somewhere, besides those that begin an escape.
    private static func isAllowedInURL(_ byte: UInt8) -> Bool {
        byte < 0x80 && allowedInURL[byte < 0x40 ? 0 : 1] & 1 << (byte & 0x3F) != 0
    }

    /// A bit for each of ASCII's.
    private static let allowedInURL: SIMD2<UInt64> = {
        var bits = SIMD2<UInt64>()
        for byte in UInt8.min..<0x80
        where isUnreserved(byte) || ":/?#[]@!$&'()*+,;=".utf8.contains(byte) {
            bits[byte < 0x40 ? 0 : 1] |= 1 << (byte & 0x3F)
        }
        return bits
    }()

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
