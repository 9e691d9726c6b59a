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

struct RowStatesTests {
    private static let all: [RowTable.State] = [
        .referenced, .inserted, .updated, .unchanged, .deleted,
    ]

    @Test func `knows nothing at first`() {
        let states = RowStates()
        for row in [0, 1, -1, .min, .max] as [Int64] { #expect(states[row] == nil) }
    }

    @Test func `keeps each state, beside its neighbours'`() {
        var states = RowStates()
        for row in 0..<64 as Range<Int64> { states[row] = Self.all[Int(row) % 5] }
        for row in 0..<64 as Range<Int64> { #expect(states[row] == Self.all[Int(row) % 5]) }
        for row in 0..<64 as Range<Int64> { states[row] = Self.all[Int(row + 1) % 5] }
        for row in 0..<64 as Range<Int64> { #expect(states[row] == Self.all[Int(row + 1) % 5]) }
        #expect(states[64] == nil)
        #expect(states[-1] == nil)
    }

    @Test func `nothing that is known is forgotten`() {
        var states = RowStates()
        states[5] = .updated
        states[5] = nil
        #expect(states[5] == .updated)
    }

    @Test(arguments: [1, 8, 9, 1 << 20, -3] as [Int64])
    func `does what a dictionary does, near and far`(_ step: Int64) {
        var generator = SplitMix64(seed: UInt64(bitPattern: step))
        var states = RowStates()
        var expected: [Int64: RowTable.State] = [:]
        for _ in 0..<20_000 {
            let row = Int64.random(in: -5000...5000, using: &generator) &* step
            let state = Self.all[Int.random(in: 0..<5, using: &generator)]
            states[row] = state
            expected[row] = state
        }
        for row in -5001...5001 as ClosedRange<Int64> {
            #expect(states[row &* step] == expected[row &* step])
        }
    }

    @Test func `takes rows at the ends of their range`() {
        var states = RowStates()
        for row in [.min, .min + 1, .max, .max - 1, 0] as [Int64] { states[row] = .inserted }
        for row in [.min, .min + 1, .max, .max - 1, 0] as [Int64] {
            #expect(states[row] == .inserted)
        }
        #expect(states[.min + 2] == nil)
    }

    @Test func `goes through rows at the ends of their range`() {
        var states = RowStates()
        for row in [.min, 0, .max] as [Int64] { states[row] = .inserted }
        var rows: Set<Int64> = []
        states.forEach { rows.insert($0) }
        #expect(rows == [.min, 0, .max])
    }
}
