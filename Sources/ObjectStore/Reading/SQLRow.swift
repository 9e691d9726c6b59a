/// A row that a question in SQL found.
public struct SQLRow: Sendable, Hashable {
    /// The names of the columns, in order.
    public let columns: [String]
    /// The columns' values, in order.
    public let values: [SQLValue]

    /// The value of the first column of a name, nil where there is none.
    public subscript(_ name: String) -> SQLValue? {
        columns.firstIndex(of: name).map { values[$0] }
    }

    /// The value of the first column of a name.
    ///
    /// - Throws: `StoreError` where there is no such column, or its value is of another type.
    public func value<Value: AttributeValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        guard let index = columns.firstIndex(of: name) else {
            throw StoreError(
                .unexpectedValue,
                "there is no column \(name) among \(columns.joined(separator: ", "))")
        }
        return try value(index, as: type)
    }

    /// The value of a column, counted from 0.
    ///
    /// - Throws: `StoreError` where there is no such column, or its value is of another type.
    public func value<Value: AttributeValue>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        guard values.indices.contains(index) else {
            throw StoreError(.unexpectedValue, "there is no column \(index) among \(values.count)")
        }
        guard let value = Value(sqlValue: values[index]) else {
            throw StoreError(
                .unexpectedValue, "column \(columns[index]) holds something else than \(type)")
        }
        return value
    }
}
