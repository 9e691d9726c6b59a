import Testing

@testable import LarderObjectStore

@Entity
private struct Leaf: Equatable {
    @Identity var id: Int
    var name: String
}

@Suite struct RowSelectionTests {
    @Test func `rows are found in the order of their numbers`() throws {
        let selection = try #require(RowSelection([5, 3, 9]))
        #expect(selection.numbers == [3, 5, 9])
        #expect((1...9).filter { selection.takes($0) } == [3, 5, 9])
        #expect(selection.inOrder(["three", "five", "nine"]) == ["five", "three", "nine"])
    }

    @Test func `those that are not there are left out`() throws {
        let selection = try #require(RowSelection([5, 3, 9, 7]))
        #expect([1, 5, 8, 9].filter { selection.takes($0) } == [5, 9])
        #expect(selection.inOrder(["five", "nine"]) == ["five", "nine"])
    }

    @Test func `other objects than those of the rows are put in no order`() throws {
        let selection = try #require(RowSelection([5, 3]))
        #expect([3, 5].filter { selection.takes($0) } == [3, 5])
        #expect(selection.inOrder(["five"]) == nil)
    }

    @Test(arguments: [[], [1], [1, 1], [3, 1, 3]] as [[Int64]])
    func `a row alone, and one that is asked for twice, is not looked for by a walk`(
        _ rows: [Int64]
    ) {
        #expect(RowSelection(rows) == nil)
    }

    @Test func `all rows are walked through where few are between them`() {
        #expect(RowSelection([1, 2, 3])?.range == 1...3)
        #expect(RowSelection([3, 2, 1])?.range == 1...3)
        #expect(RowSelection([1, 6, 4])?.range == 1...6)
        #expect(RowSelection([1, 7, 4])?.range == nil)
        #expect(RowSelection([.min, .max])?.range == nil)
    }

    /// Rows in any order, dense or not, some of which hold nothing, and references.
    @Test(arguments: 0..<300)
    func `objects are read in the order of their rows`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let store = try Store.inMemory(entities: Leaf.self)
        let width = Bool.random(using: &random) ? 12 : 400
        let all = (0..<20).map { _ in Int.random(in: -width...width, using: &random) }
        for id in Set(all) where Int.random(in: 0..<4, using: &random) > 0 {
            try store.save(Leaf(id: id, name: "leaf \(id)"))
        }
        var rows = (0..<Int.random(in: 0..<20, using: &random)).map { Int64(all[$0]) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: rows = Set(rows).sorted()
        case 1: rows = Set(rows).sorted(by: >)
        case 2: rows = Array(Set(rows)).shuffled(using: &random)
        default: break
        }
        let expected = try rows.compactMap { try store.find(Leaf.self, id: Int($0)) }
        let objects = try store.read { try $0.reader.presentObjects(Leaf.self, rows: rows) }
        #expect(objects == expected, "seed \(seed), \(rows)")
        let present = try store.read {
            try $0.reader.present(rows, of: store.plan.entity("Leaf"))
        }
        #expect(present.rows == expected.map { Int64($0.id) }, "seed \(seed), \(rows)")
    }
}
