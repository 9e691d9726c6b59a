import Testing

@testable import LarderObjectStore

struct RowCursorTests {
    private let connection: Connection
    private let cursor: RowCursor

    init() throws {
        connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        try connection.execute(
            "CREATE TABLE Thing (id INTEGER PRIMARY KEY, name TEXT, \"$reference\" INTEGER) STRICT")
        let plan = try StorePlan(
            try Model(name: "Test", entities: [.numbered("Thing", .optional("name"))]))
        var columns = ColumnSet()
        columns.insert(1)
        cursor = try RowCursor(columns, of: plan.entities[0], on: connection)
    }

    private func insert(_ ids: some Sequence<Int>) throws {
        for id in ids { try connection.execute("INSERT INTO Thing VALUES (\(id), 'n\(id)', NULL)") }
    }

    private func name(of row: Int64) throws -> String? {
        try cursor.move(to: row) ? cursor.statement.text(at: 1) : nil
    }

    @Test func `rows in order, with gaps and missing ones`() throws {
        try insert([1, 2, 5, 40, 41])
        for row in [0, 1, 2, 3, 5, 6, 40, 41, 42] as [Int64] {
            let expected = [1, 2, 5, 40, 41].contains(row) ? "n\(row)" : nil
            #expect(try name(of: row) == expected)
        }
    }

    @Test func `rows out of order are found while passes find them`() throws {
        try insert(1...30)
        for row in (1...30).reversed() as ReversedCollection<ClosedRange<Int64>> {
            #expect(try name(of: row) == "n\(row)")
        }
        #expect(try name(of: 7) == "n7")
        #expect(try name(of: 7) == "n7")
    }

    @Test func `after many passes in vain rows are not looked for, until the cursor is closed`()
        throws
    {
        try insert([1])
        for row in (100...140).reversed() as ReversedCollection<ClosedRange<Int64>> {
            #expect(try name(of: row) == nil)
        }
        #expect(try name(of: 1) == nil)
        cursor.close()
        #expect(try name(of: 1) == "n1")
    }

    @Test func `new rows behind the last do not cost a pass each`() throws {
        try insert([1])
        for row in 2...100 as ClosedRange<Int64> {
            #expect(try name(of: row) == nil)
            try insert([Int(row)])
        }
        // No credit is used up, so that rows are still looked for.
        #expect(try name(of: 1) == "n1")
    }

    @Test func `a cursor that stands in a table does not keep it from being written`() throws {
        try insert([1, 2, 3])
        #expect(try name(of: 1) == "n1")
        try connection.execute(
            "UPDATE Thing SET name = 'x' WHERE id = 2; DELETE FROM Thing WHERE id = 3")
        #expect(try name(of: 2) == "x")
        #expect(try name(of: 3) == nil)
        cursor.close()
        try connection.execute("DROP TABLE Thing")
    }
}
