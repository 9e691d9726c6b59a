extension JSONTape {
    /// The value of a number that is integral and fits 64 bits, however it is spelled (`1`, `1.0`,
    /// `1e3`), else nil.
    func integer(_ node: Int) -> Int64? {
        switch kind(node) {
        case .integer:
            return Self.integer(text(node))
        case .decimal:
            return Self.wholeNumber(text(node))
        default:
            return nil
        }
    }

    /// The value of an optional sign followed by nothing but digits, nil beyond 64 bits.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard text.count > start else { return nil }
        // Eighteen digits cannot overflow.
        guard text.count - start > 18 else {
            var magnitude: Int64 = 0
            for index in start..<text.count {
                magnitude = magnitude &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
            }
            return isNegative ? 0 &- magnitude : magnitude
        }
        return Int64(String(decoding: text, as: UTF8.self))
    }

    /// The value of a number that is integral and fits the type, however it is spelled.
    func integer<Integer: FixedWidthInteger>(_ node: Int, as type: Integer.Type) -> Integer? {
        switch kind(node) {
        case .integer, .decimal:
            return Self.wholeNumber(text(node))
        default:
            return nil
        }
    }

    /// The exact value of a number, nil where it is not integral or does not fit.
    ///
    /// Zeros are kept back until another digit follows, so that those which the exponent takes
    /// away again never overflow.
    static func wholeNumber<Integer: FixedWidthInteger>(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> Integer? {
        let isNegative = text.first == UInt8(ascii: "-")
        let mantissaEnd = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.count
        var exponent = exponent(text[mantissaEnd...].dropFirst())
        var value: Integer = 0
        var zeros = 0
        var isFraction = false
        for byte in text[..<mantissaEnd].dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: ".") {
                isFraction = true
                continue
            }
            if isFraction { exponent -= 1 }
            if byte == UInt8(ascii: "0") {
                zeros += 1
                continue
            }
            guard let larger = shifted(value, by: zeros + 1) else { return nil }
            let digit = Integer(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
            let (sum, overflow) =
                isNegative
                ? larger.subtractingReportingOverflow(digit) : larger.addingReportingOverflow(digit)
            if overflow { return nil }
            value = sum
            zeros = 0
        }
        if value == 0 { return 0 }
        return exponent + zeros < 0 ? nil : shifted(value, by: exponent + zeros)
    }

    /// The value with zeros behind it, nil where it overflows.
    private static func shifted<Integer: FixedWidthInteger>(
        _ value: Integer, by zeros: Int
    ) -> Integer? {
        var value = value
        if value == 0 { return 0 }
        for _ in 0..<zeros {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        return value
    }

    /// The number behind an `e`, 0 where there is none; held at a value that no count of digits
    /// in a document can make up for.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var magnitude = 0
        for byte in text where byte &- UInt8(ascii: "0") < 10 {
            magnitude = min(magnitude * 10 + Int(byte &- UInt8(ascii: "0")), 1 << 40)
        }
        return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// The nearest single-precision number, nil where that would be infinite.
    ///
    /// It is not the nearest one to the nearest double, which would be rounding twice.
    func float(_ node: Int) -> Float? {
        switch kind(node) {
        case .integer, .decimal:
            return Float(String(decoding: text(node), as: UTF8.self)).flatMap {
                $0.isFinite ? $0 : nil
            }
        default:
            return nil
        }
    }

    /// The nearest double to a number, nil where that would be infinite.
    func double(_ node: Int) -> Double? {
        switch kind(node) {
        case .integer, .decimal:
            return Self.double(text(node))
        default:
            return nil
        }
    }

    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if let exact = exactDouble(text) { return exact }
        // The standard library's parser rounds correctly and knows no locale.
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    /// The nearest double to a number of up to nineteen digits, as many of them behind the point.
    ///
    /// Digits below 2^53 and a power of ten up to 10^22 are both exact doubles, so that one
    /// division rounds once, correctly (Clinger's fast path). Others are divided as integers, with
    /// more bits than a double has; what is left over decides between two neighbours.
    private static func exactDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var digits: UInt64 = 0
        var exponent = 0
        var sawPoint = false
        let isNegative = text.first == UInt8(ascii: "-")
        for index in (isNegative ? 1 : 0)..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") {
                sawPoint = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10, digits < 1_000_000_000_000_000_000 else { return nil }
            digits = digits &* 10 &+ UInt64(digit)
            if sawPoint { exponent -= 1 }
        }
        let value: Double
        if digits < 1 << 53, exponent >= -22 {
            value = Double(digits) / powersOfTen[-exponent]
        } else {
            guard exponent >= -19 else { return nil }
            value = quotient(digits, wholePowersOfTen[-exponent])
        }
        return isNegative ? -value : value
    }

    /// The nearest double to a quotient of two numbers that are not 0.
    private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
        let shift = dividend.leadingZeroBitCount
        let divisorShift = divisor.leadingZeroBitCount
        // Both begin with a one: the quotient has 63 or 64 bits.
        let high = dividend << shift
        let (bits, rest) = (divisor << divisorShift).dividingFullWidth((high >> 1, high << 63))
        // Far more bits than a double has: whatever is left over only breaks a tie.
        let sticky = rest == 0 ? bits : bits | 1
        return Double(sign: .plus, exponent: divisorShift - shift - 63, significand: Double(sticky))
    }

    private static let powersOfTen: [Double] = (0...22).map { power in
        (0..<power).reduce(1.0) { product, _ in product * 10 }
    }

    private static let wholePowersOfTen: [UInt64] = (0...19).map { power in
        (0..<power).reduce(1) { product, _ in product * 10 }
    }
}
