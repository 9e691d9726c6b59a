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

struct RowListTests {
    private static func list(_ rows: [Int64]) -> [Int64] {
        var list = RowList(capacity: 0)
        for row in rows { list.append(row) }
        return list.rows
    }

    @Test(
        arguments: [
            ([], []), ([5], [5]), ([3, 1, 3, 2, 1], [3, 1, 2]),
            ([.min, .min, .max, .min], [.min, .max]),
        ] as [([Int64], [Int64])])
    func `keeps each row at its first place`(_ rows: [Int64], _ expected: [Int64]) {
        #expect(Self.list(rows) == expected)
    }

    @Test func `does the same for lists of any length and order`() {
        var generator = SplitMix64(seed: 3)
        for count in [1, 15, 16, 17, 18, 40, 1000] {
            for span in [3, Int64(count), 100_000] {
                let rows = (0..<count).map { _ in Int64.random(in: -span...span, using: &generator)
                }
                var seen: Set<Int64> = []
                #expect(Self.list(rows) == rows.filter { seen.insert($0).inserted })
                let sorted = rows.sorted()
                #expect(Self.list(sorted + rows) == Set(rows).sorted())
            }
        }
    }

    @Test func `a row that is removed comes again as the last`() {
        var generator = SplitMix64(seed: 5)
        for count in [3, 20, 1000] {
            var list = RowList(capacity: 0)
            var expected: [Int64] = []
            for _ in 0..<count {
                let row = Int64.random(in: 0...Int64(count / 2), using: &generator)
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    list.remove(row)
                    expected.removeAll { $0 == row }
                } else {
                    list.append(row)
                    if !expected.contains(row) { expected.append(row) }
                }
                if count < 1000 { #expect(list.rows == expected) }
            }
            #expect(list.rows == expected)
        }
    }

    @Test func `says which rows another list does not have`() {
        for count in [0, 1, 16, 17, 100] {
            let others = (0..<Int64(count)).map { $0 * 2 }
            let rows = Array(0..<Int64(2 * count + 5)).reversed() as [Int64]
            #expect(
                RowList.difference(rows, others)
                    == rows.filter { $0 % 2 == 1 || $0 >= 2 * Int64(count) })
        }
        #expect(RowList.difference([], [1]) == [])
    }
}
