import Foundation

extension Decimal {
    /// Takes a number as JSON spells it, rounded to 38 digits; nil where it is anything else.
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
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
        if !isFinite { return nil }
    }
}
