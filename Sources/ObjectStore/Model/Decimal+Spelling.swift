import Foundation

extension Decimal {
    /// How many digits a decimal number has at most.
    static let digitLimit = 38

    /// Takes a number as JSON spells it; nil where it is anything else, or has more digits than a
    /// decimal number can keep.
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
        // Zeros at the end would count as digits.
        let parts = DecimalParts(text.utf8)
        guard parts.digits.count <= Self.digitLimit else { return nil }
        let digits = parts.digits.isEmpty ? "0" : String(decoding: parts.digits, as: UTF8.self)
        self.init(
            string: "\(parts.isNegative ? "-" : "")\(digits)e\(parts.exponent)",
            locale: Locale(identifier: "en_US_POSIX"))
        if !isFinite || isZero != parts.digits.isEmpty { return nil }
    }
}
