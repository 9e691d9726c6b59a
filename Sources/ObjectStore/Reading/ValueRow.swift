import CLarderSQLite

/// A row whose columns are read one after the other.
struct ValueRow {
    let statement: OpaquePointer
    private var index: Int32 = 0

    init(statement: OpaquePointer) { self.statement = statement }

    /// The next column's value.
    mutating func next<Value: AttributeValue>(_: Value.Type = Value.self) throws -> Value {
        let column = RowColumn(statement: statement, index: index)
        index += 1
        if let value = Value.read(column) { return value }
        throw StoreError(
            .unexpectedValue,
            column.isNull
                ? "column \(index) is empty; select it as .optional, or a value instead by ??"
                : "column \(index) holds something else than \(Value.self)")
    }
}
