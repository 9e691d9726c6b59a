// What stands here is found where a property's type can be no attribute, so that the compiler says
// what is wrong with it, once, whatever else `@Entity` writes about the property.

extension AttributeDescription {
    /// Says what an attribute's type is.
    @available(
        *, unavailable,
        message: """
            the type of an attribute conforms to 'AttributeValue': a number, text, a date, an enum \
            of a raw value that conforms; a Codable type is kept as JSON once it conforms to \
            'JSONAttribute'; a relationship is a 'One' or a 'Many'
            """
    )
    @_disfavoredOverload
    public init<Value>(
        _ name: String, _ value: Value.Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: Value? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(name, AttributeType.json, key: key)
    }

    /// Says how a relationship to one object is declared.
    @available(
        *, unavailable,
        message: "an entity is no attribute: make the property a relationship, 'One<…>' of its type"
    )
    public init<Value: Entity>(
        _ name: String, _ value: Value.Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: Value? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(name, AttributeType.json, key: key)
    }

    /// Says how a relationship to one object or none is declared.
    @available(
        *, unavailable,
        message:
            "an entity is no attribute: make the property a relationship, 'One<…>?' of its type"
    )
    public init<Value: Entity>(
        _ name: String, _ value: Value?.Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: Value?? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(name, AttributeType.json, key: key)
    }

    /// Says how a relationship to many objects is declared.
    @available(
        *, unavailable,
        message:
            "entities are no attribute: make the property a relationship, 'Many<…>' of their type"
    )
    public init<Value: Entity>(
        _ name: String, _ value: [Value].Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: [Value]? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(name, AttributeType.json, key: key)
    }

    /// Says how an enum becomes an attribute.
    @available(
        *, unavailable,
        message: """
            an enum is an attribute once it says so: 'enum …: String, AttributeValue', or \
            'extension …: AttributeValue {}'
            """
    )
    public init<Value: RawRepresentable>(
        _ name: String, _ value: Value.Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: Value? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) where Value.RawValue: AttributeValue {
        self.init(name, AttributeType.json, key: key)
    }
}

extension EntityRow {
    /// Reads nothing, since the property's type is no attribute's.
    @_disfavoredOverload
    public func attribute<Value>(_ index: Int) throws -> Value {
        throw attributeFailure(index)
    }

    /// Reads nothing, since the property's type is no attribute's.
    @_disfavoredOverload
    public func attribute<Value>(inherited index: Int) throws -> Value {
        throw attributeFailure(index)
    }
}

extension EntityValues {
    /// Takes nothing, since the property's type is no attribute's.
    @_disfavoredOverload
    public mutating func attribute<Value>(_ index: Int, _ value: Value) throws {}

    /// Takes nothing, since the property's type is no attribute's.
    @_disfavoredOverload
    public mutating func attribute<Value>(inherited index: Int, _ value: Value) throws {}
}
