/// A question in SQL written by hand; what is interpolated is bound, never spliced.
///
///     try store.rows("SELECT title, length(body) AS size FROM \(Issue.self) WHERE id > \(id)")
///
/// A value stands by itself, never within quotes: `LIKE \("%" + text + "%")`. An array is one value,
/// its JSON: `IN (SELECT value FROM json_each(\(ids)))` finds what is in it, but for dates and bytes,
/// which columns have in another form than JSON.
///
/// Text in double quotes is a name, and an error where nothing has that name; SQLite by itself would take
/// it for a value.
public struct SQLQuery: Sendable {
    enum Part: Sendable {
        case text(String)
        case value(SQLValue, isList: Bool)
        case entity(String)
    }

    let parts: [Part]
}

extension SQLQuery: ExpressibleByStringInterpolation {
    /// Takes SQL without values.
    public init(stringLiteral text: String) { parts = [.text(text)] }

    /// Takes SQL with values.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Collects SQL and the values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        /// Begins with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds SQL.
        public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        /// Adds a value, which is bound.
        public mutating func appendInterpolation(_ value: some AttributeValue) {
            parts.append(.value(value.keptValue, isList: value is any ListOfValues))
        }

        /// Adds a value or `NULL`, which is bound.
        public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value?) {
            parts.append(.value(value.keptValue, isList: Value.self is any ListOfValues.Type))
        }

        /// Adds a name, quoted: of a column, say.
        public mutating func appendInterpolation(name: String) {
            parts.append(.text(name.sqlName))
        }

        /// Adds the name of an entity's table, quoted, to stand behind `FROM` or `JOIN`.
        ///
        /// Where the entity shares its table it is a subquery of its own objects; columns are
        /// qualified by an alias then: `FROM \(TextMessage.self) AS message`.
        public mutating func appendInterpolation<Object: Entity>(_ type: Object.Type) {
            parts.append(.entity(type.entityName))
        }
    }
}

/// An array of whatever, which is one value, though it is easily taken for several.
private protocol ListOfValues {}

extension Array: ListOfValues {}

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
