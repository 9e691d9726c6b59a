import Testing

@testable import LarderObjectStore

struct ChangedRowsTests {
    @Test func `keeps each row once`() {
        var rows = ChangedRows()
        #expect(rows.rows == [])
        for row in [3, 1, 3] as [Int64] { rows.insert(row) }
        #expect(rows.rows == [1, 3])
    }

    @Test func `stops counting when there are too many`() {
        var rows = ChangedRows()
        for row in 0..<Int64(ChangedRows.limit) { rows.insert(row) }
        #expect(rows.rows?.count == ChangedRows.limit)
        rows.insert(Int64(ChangedRows.limit))
        #expect(rows.rows == nil)
        rows.insert(0)
        #expect(rows.rows == nil)
    }

    @Test func `joins with others, and with all`() {
        var rows = ChangedRows()
        rows.insert(1)
        var others = ChangedRows()
        others.insert(2)
        rows.formUnion(others)
        #expect(rows.rows == [1, 2])
        rows.formUnion(.all)
        #expect(rows.rows == nil)
        others.formUnion(rows)
        #expect(others.rows == nil)
    }
}
