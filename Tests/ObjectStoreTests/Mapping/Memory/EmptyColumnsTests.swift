import Testing

@testable import LarderObjectStore

struct EmptyColumnsTests {
    @Test func `each row has its own, in each table`() {
        var columns = EmptyColumns()
        #expect(columns.isEmpty)
        columns[5, in: 0] = [1, 3]
        columns[6, in: 0] = [3]
        columns[-1, in: 0] = [2]
        columns[.max, in: 1] = [127]
        #expect(!columns.isEmpty)
        #expect(columns[5, in: 0] == [1, 3])
        #expect(columns[6, in: 0] == [3])
        #expect(columns[-1, in: 0] == [2])
        #expect(columns[.max, in: 1] == [127])
        #expect(columns[5, in: 1] == [])
        #expect(columns[5 + 64, in: 0] == [])
        columns.removeAll()
        #expect(columns.isEmpty && columns[5, in: 0] == [])
    }

    @Test func `what is said last counts`() {
        var columns = EmptyColumns()
        columns[5, in: 0] = [1, 3]
        columns[6, in: 0] = [1]
        columns[5, in: 0] = [3, 4]
        #expect(columns[5, in: 0] == [3, 4])
        columns[5, in: 0] = []
        #expect(columns[5, in: 0] == [])
        #expect(columns[6, in: 0] == [1])
    }

    @Test func `it is what a dictionary would be`() {
        var random = SplitMix64(seed: 7)
        var columns = EmptyColumns()
        var expected: [Int64: ColumnSet] = [:]
        for _ in 0..<5_000 {
            let row = Int64.random(in: -200...200, using: &random)
            var set = ColumnSet()
            for column in 0..<4 where Bool.random(using: &random) { set.insert(column) }
            columns[row, in: 2] = set
            expected[row] = set
        }
        for row in -210...210 as ClosedRange<Int64> {
            #expect(columns[row, in: 2] == expected[row] ?? [])
        }
    }
}
