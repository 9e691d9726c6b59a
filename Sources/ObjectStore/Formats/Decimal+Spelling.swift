import Foundation

extension Decimal {
    /// Numbers of so many digits fit, whatever the digits.
    static let digitLimit = 38
    /// Powers of ten with which they do.
    private static let safeExponents = -128...127

    /// Takes a number as JSON spells it; nil where it is anything else, or no decimal number is
    /// exactly that.
    ///
    /// `Decimal(string:)` would take as much of the text as looks like a number to it.
    init?(spelling text: String) {
        var rest = text.utf8[...]
        func skip(_ characters: String) {
            if let first = rest.first, characters.utf8.contains(first) { rest = rest.dropFirst() }
        }
        func skipDigits() -> Bool {
            let count = rest.count
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return rest.count < count
        }
        skip("-")
        guard skipDigits() else { return nil }
        if rest.first == UInt8(ascii: ".") {
            skip(".")
            guard skipDigits() else { return nil }
        }
        if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
            skip("eE")
            skip("+-")
            guard skipDigits() else { return nil }
        }
        guard rest.isEmpty else { return nil }
        let parts = DecimalParts(text.utf8)
        let digits = parts.digits.isEmpty ? "0" : String(decoding: parts.digits, as: UTF8.self)
        self.init(
            string: "\(parts.isNegative ? "-" : "")\(digits)e\(parts.exponent)",
            locale: Locale(identifier: "en_US_POSIX"))
        guard isFinite else { return nil }
        if digits.utf8.count <= Self.digitLimit, Self.safeExponents.contains(parts.exponent) {
            return
        }
        // Foundation rounds what does not fit.
        guard DecimalParts(description.utf8) == parts else { return nil }
    }
}
