/// An attribute of an entity: its name, its type and where the JSON has it.
public struct AttributeDescription: Hashable, Sendable {
    /// The property's name, which is the column's name too.
    public var name: String
    /// The type of its values.
    public var type: AttributeType
    /// Whether it may be empty.
    public var isOptional: Bool
    /// The dotted key path of its value in an object's JSON; nil: not mapped.
    public var key: String?
    /// The conversion between JSON and value; dates have `iso8601` and data `base64` unless given.
    public var transformer: Transformer?
    /// The value of an object that is inserted without one.
    public var defaultValue: DefaultValue?
    /// Whether queries by it are helped by an index.
    public var isIndexed: Bool
    /// Whether it takes part in full-text search.
    public var isSearchable: Bool
    /// The name it had in an earlier model.
    public var renamedFrom: String?
    /// The values it takes, as its Swift type says; no part of what makes descriptions equal.
    public var allowedValues = AllowedValues.all

    /// Describes an attribute by its parts.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = false, key: String?,
        transformer: Transformer? = nil, default defaultValue: DefaultValue? = nil,
        isIndexed: Bool = false, isSearchable: Bool = false, renamedFrom: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.key = key
        self.transformer = transformer ?? type.defaultTransformer
        self.defaultValue = defaultValue?.normalized(for: type)
        self.isIndexed = isIndexed
        self.isSearchable = isSearchable
        self.renamedFrom = renamedFrom
    }

    /// Describes an attribute by the Swift type of its values.
    public init<Value: AttributeValue>(
        _ name: String, _ value: Value.Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: Value? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(
            name, Value.attributeType, isOptional: Value.isOptional, key: key,
            transformer: transformer,
            default: defaultValue?.keptValue.asDefault(of: Value.attributeType),
            isIndexed: isIndexed, isSearchable: isSearchable, renamedFrom: renamedFrom)
        allowedValues = Value.allowedValues
    }
}

/// Stands where a call can't be, so that the compiler says what is wrong with it.
extension AttributeDescription {
    /// Says what `@Attribute` takes for a transformer.
    @available(
        *, unavailable,
        message: "a key path must be a plain string literal, and a transformer a 'Transformer'"
    )
    @_disfavoredOverload
    public init<Value: AttributeValue>(
        _ name: String, _ value: Value.Type, key: String?, transformer: String,
        default defaultValue: Value? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(name, value, key: key)
    }
}

extension AttributeDescription {
    /// Whether there are values in a column of its type that can't be its own.
    var isNarrow: Bool {
        if case .all = allowedValues.kind { return type.isNarrowerThanColumn }
        return true
    }

    /// Whether a value in a column of its type can be its own.
    func takes(_ value: SQLValue) -> Bool {
        allowedValues.contains(value) && (!type.isNarrowerThanColumn || type.holds(value))
    }

    /// Whether a value in a column of its type is as its Swift type writes it, by which it is found.
    func keeps(_ value: SQLValue) -> Bool {
        guard takes(value) else { return false }
        guard allowedValues.spelling != nil else { return true }
        let own = allowedValues.nearest(to: value)
        // SQLite keeps whole numbers in some columns as numbers with a fraction.
        if case .integer(let number) = own, case .real(let kept) = value {
            return Double(number) == kept
        }
        return own == value
    }
}
