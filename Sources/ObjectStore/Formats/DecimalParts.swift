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
