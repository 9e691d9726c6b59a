extension AttributeDescription {
    /// Stands where no attribute can be, so that the compiler says what is wrong with a type.
    @available(
        *, unavailable,
        message: """
            the type of an attribute conforms to 'AttributeValue': a number, text, a date, an enum \
            of a raw value that conforms; a Codable type is kept as JSON once it conforms to \
            'JSONAttribute'; a relationship is a 'One' or a 'Many'
            """
    )
    public init<Value>(
        _ name: String, _ value: Value.Type, key: String?, transformer: Transformer? = nil,
        default defaultValue: Value? = nil, isIndexed: Bool = false, isSearchable: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.init(name, AttributeType.json, key: key)
    }
}
