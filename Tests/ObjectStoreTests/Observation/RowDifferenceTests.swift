import Testing

@testable import LarderObjectStore

struct RowDifferenceTests {
    /// What a table does with a batch of changes.
    private func apply(_ difference: RowDifference, to old: [Int64], new: [Int64]) -> [Int64] {
        let leaving = Set(difference.deletions + difference.moves.map(\.from))
        var rows = old.indices.filter { !leaving.contains($0) }.map { old[$0] }
        let arriving =
            difference.insertions.map { ($0, new[$0]) }
            + difference.moves.map { ($0.to, old[$0.from]) }
        for (place, row) in arriving.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: place) }
        return rows
    }

    @Test func `nothing is nothing`() {
        for rows in [[], [1], [3, 1, 2]] as [[Int64]] {
            let difference = RowDifference(from: rows, to: rows)
            #expect(difference.deletions.isEmpty && difference.insertions.isEmpty)
            #expect(difference.moves.isEmpty)
            #expect(difference.places == Array(rows.indices))
        }
    }

    @Test func `inserts and deletes`() {
        let difference = RowDifference(from: [1, 2, 3], to: [4, 1, 3, 5])
        #expect(difference.deletions == [1])
        #expect(difference.insertions == [0, 3])
        #expect(difference.moves.isEmpty)
        #expect(difference.places == [-1, 0, 2, -1])
    }

    @Test func `one that goes to the end is one move`() {
        let difference = RowDifference(from: [1, 2, 3, 4, 5], to: [2, 3, 4, 5, 1])
        #expect(difference.moves.map { [$0.from, $0.to] } == [[0, 4]])
        let back = RowDifference(from: [2, 3, 4, 5, 1], to: [1, 2, 3, 4, 5])
        #expect(back.moves.map { [$0.from, $0.to] } == [[4, 0]])
    }

    @Test func `the ends of equal length are not mixed up`() {
        let difference = RowDifference(from: [1, 2], to: [1, 3, 2])
        #expect(difference.insertions == [1])
        #expect(difference.places == [0, -1, 1])
    }

    @Test(arguments: 0..<200)
    func `applied to the old list it gives the new one`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = Int.random(in: 0...30, using: &random)
        let old = (0..<Int64(size)).filter { _ in Bool.random(using: &random) }
            .shuffled(using: &random)
        var new = (0..<Int64(size)).filter { old.contains($0) && Bool.random(using: &random) }
        new += (100..<100 + Int64.random(in: 0...8, using: &random))
        if Bool.random(using: &random) { new.shuffle(using: &random) }
        let difference = RowDifference(from: old, to: new)
        #expect(apply(difference, to: old, new: new) == new)
        for (place, before) in difference.places.enumerated() {
            #expect(before < 0 ? !old.contains(new[place]) : old[before] == new[place])
        }
        #expect(difference.insertions == difference.insertions.sorted())
        #expect(difference.deletions == difference.deletions.sorted())
    }
}
