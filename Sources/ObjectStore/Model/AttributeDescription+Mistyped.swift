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
