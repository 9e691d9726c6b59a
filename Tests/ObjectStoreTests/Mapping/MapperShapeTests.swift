import CLarderSQLite
import Testing

@testable import LarderObjectStore

/// Objects that lack keys at random, so that hardly two name the same columns.
struct MapperShapeTests {
    private static func attribute(_ number: Int) -> AttributeDescription {
        let value: DefaultValue? = number % 5 == 0 ? .integer(Int64(number)) : nil
        return AttributeDescription(
            "a\(number)", .integer, isOptional: true, key: "a\(number)", default: value,
            isIndexed: number == 3)
    }

    private static let attributes: [AttributeDescription] = (0..<14).map { attribute($0) }

    private static func entities(_ kind: String) -> [EntityDescription] {
        let text: [AttributeDescription] = [.required("id", .string, .string)]
        let number: [AttributeDescription] = [.required("id", .integer)]
        switch kind {
        case "number":
            return [
                EntityDescription(name: "X", identity: ["id"], attributes: number + attributes)
            ]
        case "text":
            return [EntityDescription(name: "X", identity: ["id"], attributes: text + attributes)]
        default:
            let some: [AttributeDescription] = text + Array(attributes[..<4])
            return [
                EntityDescription(name: "Base", identity: ["id"], attributes: some),
                EntityDescription(name: "X", parent: "Base", attributes: Array(attributes[4...])),
            ]
        }
    }

    /// An object with some of the members, which are noted.
    private func object(
        _ id: Int, _ values: inout [Int64?], _ generator: inout SplitMix64
    ) -> String {
        var members: [String] = ["\"id\": \(id)"]
        for number in 0..<14 where generator.next() % 2 == 0 {
            let value = Int64(generator.next() % 3)
            let text: String = value == 0 ? "null" : String(value)
            members.append("\"a\(number)\": \(text)")
            values[number] = value == 0 ? nil : value
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private func statementCount(_ store: Store) throws -> Int {
        try store.withWriter { (connection: Connection) -> Int in
            var count = 0
            var statement = sqlite3_next_stmt(connection.pointer, nil)
            while statement != nil {
                count += 1
                statement = sqlite3_next_stmt(connection.pointer, statement)
            }
            return count
        }
    }

    @Test(arguments: ["number", "text", "family"])
    func `write just what they name, with few statements`(_ kind: String) throws {
        let fixture = try StoreFixture(Model(name: "Test", entities: Self.entities(kind)))
        var generator = SplitMix64(seed: 7)
        let defaults: [Int64?] = (0..<14).map { $0 % 5 == 0 ? Int64($0) : nil }
        var expected: [[Int64?]] = Array(repeating: defaults, count: 60)
        let names: String = (0..<14).map { "a\($0)" }.joined(separator: ", ")
        let table = kind == "family" ? "Base" : "X"
        for round in 0..<12 {
            var objects: [String] = []
            for id in 0..<60 { objects.append(object(id, &expected[id], &generator)) }
            let json = "[" + objects.joined(separator: ", ") + "]"
            try fixture.insert("X", json)
            let lines: [String] = expected.map { (row: [Int64?]) -> String in
                row.map { (value: Int64?) -> String in value.map { String($0) } ?? "NULL" }
                    .joined(separator: "|")
            }
            let rows = try fixture.rows(
                "SELECT \(names) FROM \(table) ORDER BY cast(id AS INTEGER)")
            #expect(rows == lines, "round \(round)")
            // The same again changes nothing.
            let version = try fixture.dataVersion
            let report = try fixture.insert("X", json)
            #expect(report["X"] == ImportReport.Counts(0, 0, 60))
            #expect(try fixture.dataVersion == version)
        }
        let limit = 3 * ColumnSetCache<Statement>.limit + 40
        #expect(try statementCount(fixture.store) < limit)
    }
}
