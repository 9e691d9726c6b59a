import Testing

@testable import LarderObjectStore

struct DecimalPartsTests {
    @Test(arguments: [
        ("0", "", 0), ("-0.00", "", 0), ("120", "12", 1), ("0.0120", "12", -3), ("1.5e3", "15", 2),
        ("-1E-2", "1", -2), ("+007", "7", 0), ("1e+99999999999999999999", "1", 1 << 40),
    ])
    func `digits without zeros around them, times a power of ten`(
        _ text: String, _ digits: String, _ exponent: Int
    ) {
        let parts = DecimalParts(text.utf8)
        #expect(String(decoding: parts.digits, as: UTF8.self) == digits)
        #expect(parts.exponent == exponent)
        #expect(parts.isNegative == text.hasPrefix("-"))
    }
}
