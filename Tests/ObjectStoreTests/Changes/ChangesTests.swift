import Testing

@testable import LarderObjectStore

struct ChangesTests {
    @Test func `notes updates by column and other rows apart`() {
        var changes = Changes()
        #expect(changes.isEmpty)
        changes.noteUpdate(of: 7, in: 0, columns: [1])
        changes.noteUpdate(of: 8, in: 0, columns: [2])
        #expect(changes.tables[0]?.sortedRows == [7, 8])
        #expect(changes.tables[0]?.columns == [1, 2])
        #expect(changes.tables[0]?.hasOtherRows == false)
        changes.noteOtherRow(9, in: 0)
        #expect(changes.tables[0]?.sortedRows == [7, 8, 9])
        #expect(changes.tables[0]?.columns == [1, 2])
        #expect(changes.tables[0]?.hasOtherRows == true)
        #expect(!changes.isEmpty && !changes.isEverything)
    }

    @Test func `joins two transactions`() {
        var first = Changes()
        first.noteUpdate(of: 1, in: 0, columns: [1])
        first.noteLinks(in: 3)
        var second = Changes()
        second.noteUpdate(of: 2, in: 0, columns: [2])
        second.noteOtherRow(5, in: 1)
        second.noteLinks(in: 4)
        first.formUnion(second)
        #expect(first.tables[0]?.sortedRows == [1, 2])
        #expect(first.tables[0]?.columns == [1, 2])
        #expect(first.tables[0]?.hasOtherRows == false)
        #expect(first.tables[1]?.sortedRows == [5])
        #expect(first.tables[1]?.hasOtherRows == true)
        #expect(first.links == [3, 4])
    }

    @Test func `everything swallows what is known`() {
        var changes = Changes()
        changes.noteLinks(in: 1)
        changes.formUnion(.everything)
        #expect(changes.isEverything && changes.links.isEmpty)
        var other = Changes()
        other.noteLinks(in: 1)
        changes.formUnion(other)
        #expect(changes.isEverything && changes.links.isEmpty)
        #expect(!Changes.everything.isEmpty)
    }

    @Test func `all of a table is all rows and columns`() {
        var changes = Changes()
        changes.noteAll(of: 2)
        #expect(changes.tables[2]?.sortedRows == nil)
        #expect(changes.tables[2]?.columns == .all)
        #expect(changes.tables[2]?.hasOtherRows == true)
    }
}

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
