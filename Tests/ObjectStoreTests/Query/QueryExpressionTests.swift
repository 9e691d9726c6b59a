import Testing

@testable import LarderObjectStore

/// Chains of conditions of any length and shape.
struct QueryExpressionTests {
    private static func leaf(_ number: Int) -> OperandTree {
        .leaf(.value(.integer(Int64(number))))
    }

    private static func numbers(_ tree: OperandTree) -> [Int] {
        tree.operands.map { if case .value(.integer(let number)) = $0 { Int(number) } else { -1 } }
    }

    private static func depth(_ tree: OperandTree) -> Int {
        switch tree {
        case .leaf: 0
        case .node(let left, let right, _): max(depth(left), depth(right)) + 1
        }
    }

    @Test func `grows at its end and at its beginning, in order and flat`() {
        var tree = Self.leaf(0)
        for number in 1...10_000 {
            tree = .joining(tree, Self.leaf(number))
            tree = .joining(Self.leaf(-number), tree)
        }
        #expect(tree.operands.count == 20_001)
        #expect(Self.depth(tree) < 22)
    }

    @Test func `trees of any size are joined in order`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            var trees = (0..<Int.random(in: 1...60, using: &random)).map(Self.leaf)
            let count = trees.count
            while trees.count > 1 {
                let index = Int.random(in: 0..<trees.count - 1, using: &random)
                trees[index] = .joining(trees[index], trees.remove(at: index + 1))
            }
            #expect(Self.numbers(trees[0]) == Array(0..<count))
            #expect(Self.depth(trees[0]) <= 8)
        }
    }

    @Test func `very long and very deep conditions neither overflow nor fail`() throws {
        let store = try Comics.store()
        let long = Hero.where { hero in
            (1...10_000).reduce(hero.id == 0) { $0 || hero.id == $1 }
        }
        #expect(try store.count(long) == 0)
        let backwards = Hero.where { hero in
            (1...10_000).reduce(hero.id == 0) { hero.id == $1 || $0 }
        }
        #expect(try store.count(backwards) == 0)
        let negated = Hero.where { hero in (1...10_000).reduce(hero.id == 0) { one, _ in !one } }
        #expect(try store.count(negated) == 0)
    }

    @Test func `conditions that nest too deep are an error`() throws {
        let store = try Comics.store()
        let deep = Hero.where { hero in
            (1...1000).reduce(hero.id == 0) {
                $1 % 2 == 0 ? $0 && hero.id == 1 : $0 || hero.id == 2
            }
        }
        let error = #expect(throws: StoreError.self) { try store.count(deep) }
        #expect(error?.message.contains("200 deep") == true)
    }
}
