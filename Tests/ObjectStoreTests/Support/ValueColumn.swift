import CLarderSQLite
import Testing

@testable import LarderObjectStore

/// What becomes of values in a column of their type.
enum ValueColumn {
    /// Puts a value into a column of its type in a table as stores have it, and reads it back
    /// both ways.
    static func stored<Value: AttributeValue>(_ value: Value) throws -> (Value?, Value?) {
        let connection = try Connection.inMemory()
        try connection.execute(
            "CREATE TABLE t (c \(Value.attributeType.columnType)) STRICT")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        try insert.bind(value.sqlValue, at: 1)
        try insert.run()
        let select = try connection.prepare("SELECT c FROM t")
        #expect(try select.step())
        defer { select.reset() }
        return (
            Value.read(RowColumn(statement: select.pointer, index: 0)),
            Value(sqlValue: select.value(at: 0))
        )
    }

    /// Checks that values come back as they are.
    static func expectKept<Value: AttributeValue & Equatable>(
        _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for value in values {
            let (read, taken) = try stored(value)
            #expect(read == value, sourceLocation: sourceLocation)
            #expect(taken == value, sourceLocation: sourceLocation)
        }
    }

    /// What a type makes of a column that holds something.
    static func read<Value: AttributeValue>(_ type: Value.Type, _ value: SQLValue) throws -> Value?
    {
        let connection = try Connection.inMemory()
        let select = try connection.prepare("SELECT ?")
        try select.bind(value, at: 1)
        #expect(try select.step())
        defer { select.reset() }
        let read = Value.read(RowColumn(statement: select.pointer, index: 0))
        #expect((Value(sqlValue: value) == nil) == (read == nil))
        return read
    }
}
