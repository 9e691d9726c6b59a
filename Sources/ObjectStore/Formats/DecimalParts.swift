import Foundation

/// The sign, the digits without zeros around them, and the power of ten of a number in JSON.
struct DecimalParts: Equatable {
    let isNegative: Bool
    /// None for zero.
    let digits: [UInt8]
    let exponent: Int

    /// Greater exponents are not told apart.
    private static let exponentLimit = 1 << 40

    /// Whether the power of ten is greater, or smaller, than all that are told apart.
    var isBeyondReason: Bool { abs(exponent) > Self.exponentLimit / 2 }

    /// Takes apart a number that is one; a plus sign and leading zeros may stand before it.
    init(_ text: some Sequence<UInt8>) {
        var isNegative = false
        var digits: [UInt8] = []
        var fraction = 0
        var isFraction = false
        var exponent = 0
        var exponentSign = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"):
                if exponentSign == 0 { isNegative = true } else { exponentSign = -1 }
            case UInt8(ascii: "+"): break
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): exponentSign = 1
            default:
                let digit = Int(byte &- UInt8(ascii: "0"))
                if exponentSign != 0 {
                    exponent = min(exponent * 10 + digit, Self.exponentLimit)
                } else {
                    if isFraction { fraction += 1 }
                    if digit != 0 || !digits.isEmpty { digits.append(byte) }
                }
            }
        }
        var power = exponent * exponentSign - fraction
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            power += 1
        }
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : power
    }
}

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

    /// Takes a number as a string of JSON may spell it, where a plus sign may stand.
    init?(spellingInString text: String) {
        let hasPlus = text.first == "+"
        guard !hasPlus || text.dropFirst().first != "-" else { return nil }
        self.init(spelling: hasPlus ? String(text.dropFirst()) : text)
    }
}
