import Testing

@testable import LarderObjectStore

struct RowTableTests {
    @Test func `keeps what is known of each row`() {
        var table = RowTable()
        var generator = SplitMix64(seed: 9)
        var expected: [Int64: RowSource] = [:]
        let sources = [RowSource.node, RowSource.text, { _ in RowSource.none }]
        for step in 0..<20_000 {
            // Dense rows, rows a power of two apart, and any other.
            let row: Int64 =
                switch step % 3 {
                case 0: Int64(step)
                case 1: Int64(step % 500) << 40
                default: Int64.random(in: .min ... .max, using: &generator)
                }
            expected[row] = sources[step % 3](step)
            table[row] = RowTable.Object(.updated, from: sources[step % 3](step))
        }
        #expect(table.count == expected.count)
        for (row, source) in expected { #expect(table[row]?.source == source) }
        for row in [-1, -500, 1 << 39, Int64.max] where expected[row] == nil {
            #expect(table[row] == nil)
        }
    }

    @Test func `knows row 0 only once it has been given`() {
        var table = RowTable()
        #expect(table[0] == nil)
        table[0] = RowTable.Object(.referenced)
        #expect(table[0]?.state == .referenced)
        table[0] = nil
        #expect(table[0]?.state == .referenced)
        #expect(table.count == 1)
    }
}
