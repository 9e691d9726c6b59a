/// A type that an attribute can have.
///
/// Larder brings the common ones. An enum of a raw value that is one is one too, once it says so:
/// `enum State: String, AttributeValue { case open, closed }`. What is one under a condition says
/// ``ObjectIdentity`` under the same: `extension Tagged: ObjectIdentity where Raw: AttributeValue {}`.
public protocol AttributeValue: ObjectIdentity {
    /// The type in the model's terms.
    static var attributeType: AttributeType { get }

    /// Whether the type has an empty value; false unless said otherwise.
    static var isOptional: Bool { get }

    /// The values of the model's type that are also values of this one; all unless said otherwise.
    ///
    /// A type that takes several spellings of one value says `.spelled(by: Self.self)`, by which it is found.
    static var allowedValues: AllowedValues { get }

    /// Takes a value as SQLite keeps it, nil where it is not one of this type.
    init?(sqlValue: SQLValue)

    /// The value as SQLite keeps it.
    var sqlValue: SQLValue { get }

    /// Reads a column, nil where it does not hold such a value.
    ///
    /// Types need not have this: it is a shorter way for those that can read a column directly.
    static func read(_ column: RowColumn) -> Self?
}

extension AttributeValue {
    /// False: most types have no empty value.
    public static var isOptional: Bool { false }

    /// All: most types take whatever the model's type can be.
    public static var allowedValues: AllowedValues { .all }

    /// Reads a column by way of an `SQLValue`.
    @inlinable
    public static func read(_ column: RowColumn) -> Self? { Self(sqlValue: column.value) }

    /// The value as the store keeps it: spelled as the type writes what it reads, however code has made it.
    var keptValue: SQLValue { Self.allowedValues.nearest(to: sqlValue) }
}

extension Sequence where Element: AttributeValue {
    /// The values as the store keeps them.
    var keptValues: [SQLValue] {
        let allowed = Element.allowedValues
        return map { allowed.nearest(to: $0.sqlValue) }
    }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// The type of the raw value.
    public static var attributeType: AttributeType { RawValue.attributeType }

    /// Takes a raw value, nil where it stands for nothing.
    public init?(sqlValue: SQLValue) {
        guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The raw value.
    public var sqlValue: SQLValue { rawValue.sqlValue }

    /// The raw values that stand for something; those that stand for the same are kept as the type writes it.
    public static var allowedValues: AllowedValues {
        var values = AllowedValues.spelled(by: Self.self, "a raw value of")
        values.isSingle = RawValue.allowedValues.isSingle
        return values
    }

    /// Reads a raw value, nil where it stands for nothing.
    @inlinable
    public static func read(_ column: RowColumn) -> Self? {
        RawValue.read(column).flatMap(Self.init(rawValue:))
    }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
    /// The raw values of all cases, and what a case is made of besides.
    public static var allowedValues: AllowedValues {
        var values = AllowedValues.list(allCases.map(\.sqlValue))
        values.spelling = AllowedValues.spelling(of: Self.self)
        values.isSingle = RawValue.allowedValues.isSingle
        return values
    }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The type of the wrapped value.
    public static var attributeType: AttributeType { Wrapped.attributeType }

    /// True.
    public static var isOptional: Bool { true }

    /// Those of the wrapped type.
    public static var allowedValues: AllowedValues { Wrapped.allowedValues }

    /// Takes a value, `NULL` as an empty one.
    public init?(sqlValue: SQLValue) {
        if sqlValue == .null {
            self = nil
        } else if let value = Wrapped(sqlValue: sqlValue) {
            self = value
        } else {
            return nil
        }
    }

    /// The wrapped value, `NULL` where there is none.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }

    /// Reads a column, `NULL` as an empty value.
    @inlinable
    public static func read(_ column: RowColumn) -> Wrapped?? {
        if column.isNull { return Wrapped??.some(nil) }
        guard let value = Wrapped.read(column) else { return nil }
        return Wrapped??.some(value)
    }
}
