import CLarderSQLite

/// The order of decimal numbers, which are kept as text so that they are exact.
enum DecimalCollation {
    static let name = "larder_decimal"

    static func add(to connection: OpaquePointer) {
        sqlite3_create_collation_v2(
            connection, name, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                DecimalCollation.compare(
                    UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                    UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
            }, nil)
    }

    /// Compares numbers such as `-12.50` as `memcmp` compares bytes.
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
        let left = Spelling(left)
        let right = Spelling(right)
        if left.sign != right.sign { return left.sign < right.sign ? -1 : 1 }
        return left.sign * magnitudes(left, right)
    }

    private static func magnitudes(_ left: Spelling, _ right: Spelling) -> Int32 {
        if left.whole.count != right.whole.count {
            return left.whole.count < right.whole.count ? -1 : 1
        }
        for (left, right) in zip(left.whole, right.whole) where left != right {
            return left < right ? -1 : 1
        }
        for index in 0..<max(left.fraction.count, right.fraction.count) {
            let left = left.digit(index)
            let right = right.digit(index)
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    private struct Spelling {
        private static let zero = UInt8(ascii: "0")

        let whole: Slice<UnsafeRawBufferPointer>
        let fraction: Slice<UnsafeRawBufferPointer>
        /// -1, 0 or 1.
        let sign: Int32

        init(_ text: UnsafeRawBufferPointer) {
            let isNegative = text.first == UInt8(ascii: "-")
            let digits = text.dropFirst(isNegative ? 1 : 0)
            let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
            whole = digits[..<point].drop { $0 == Self.zero }
            fraction = digits[point...].dropFirst()
            let isZero = whole.isEmpty && fraction.allSatisfy { $0 == Self.zero }
            sign = isZero ? 0 : isNegative ? -1 : 1
        }

        func digit(_ index: Int) -> UInt8 {
            index < fraction.count ? fraction[fraction.startIndex + index] : Self.zero
        }
    }
}
