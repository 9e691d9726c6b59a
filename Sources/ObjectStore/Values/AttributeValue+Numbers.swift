public import Foundation

extension AttributeValue where Self: FixedWidthInteger {
    /// A whole number.
    public static var attributeType: AttributeType { .integer }

    /// Takes an integer that fits the type.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(exactly: value)
    }

    /// The number; above 64 signed bits, as text.
    public var sqlValue: SQLValue {
        Int64(exactly: self).map(SQLValue.integer) ?? .text(String(self))
    }

    /// The range of the type.
    public static var allowedValues: AllowedValues {
        .integers(Int64(clamping: min)...Int64(clamping: max))
    }

    /// Reads an integer that fits the type.
    @inlinable
    public static func read(_ column: RowColumn) -> Self? {
        column.integer.flatMap { Self(exactly: $0) }
    }
}

extension Int: AttributeValue {}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}

extension AttributeValue where Self: BinaryFloatingPoint {
    /// A floating-point number.
    public static var attributeType: AttributeType { .double }

    /// Takes a real, or an integer as SQLite may keep a whole one.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let value): self.init(value)
        case .integer(let value): self.init(value)
        default: return nil
        }
    }

    /// The number.
    public var sqlValue: SQLValue { .real(Double(self)) }

    /// Reads a number.
    @inlinable
    public static func read(_ column: RowColumn) -> Self? { column.double.map { Self($0) } }
}

extension Double: AttributeValue {}
extension Float: AttributeValue {
    /// The finite numbers of single precision.
    public static var allowedValues: AllowedValues { .singles }
}

extension Bool: AttributeValue {
    /// A truth value.
    public static var attributeType: AttributeType { .boolean }

    /// Takes an integer; all but 0 is true.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = value != 0
    }

    /// 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Reads an integer; all but 0 is true.
    @inlinable
    public static func read(_ column: RowColumn) -> Bool? { column.integer.map { $0 != 0 } }
}

extension Decimal: AttributeValue {
    /// A decimal number.
    public static var attributeType: AttributeType { .decimal }

    /// Takes text that spells a decimal number.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(spelling: text)
    }

    /// The number, spelled out; what is not a number is none of SQLite's values either.
    public var sqlValue: SQLValue { isNaN ? .real(.nan) : .text(description) }
}
