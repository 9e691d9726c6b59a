import LarderPromises
import Testing

@testable import LarderObjectStore

struct LiveChangesTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.insert("Hero", #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#)
    }

    @Test(.timeLimit(.minutes(15)))
    func `tells what has become of each object`() async throws {
        let query = Hero.all.sorted { $0.name.ascending }
        var iterator = store.observeChanges(of: query).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.insertions == [0, 1] && first.deletions.isEmpty && first.updates.isEmpty)
        try store.insert("Hero", #"[{"id": 1, "name": "C"}, {"id": 3, "name": "D"}]"#)
        let second = try #require(try await iterator.next())
        #expect(second.objects.map(\.name) == ["B", "C", "D"])
        #expect(second.insertions == [2])
        #expect(second.inserted.map(\.row) == [3])
        #expect(second.updates == [1])
        #expect(second.updated.map(\.row) == [1])
        #expect(second.moves.count == 1)
        try store.run("DELETE FROM Hero WHERE id < 3")
        let third = try #require(try await iterator.next())
        #expect(third.deletions == [0, 1])
        #expect(third.deleted.map(\.row) == [2, 1])
        #expect(third.insertions.isEmpty && third.updates.isEmpty && third.moves.isEmpty)
    }

    @Test(.timeLimit(.minutes(15)))
    func `changes that came together lead from the list that was seen`() async throws {
        var iterator = store.observeChanges(of: Hero.all).makeAsyncIterator()
        _ = try await iterator.next()
        for id in 3...6 {
            try store.insert("Hero", #"{"id": \#(id), "name": "n"}"#)
            store.settleObservers()
        }
        #expect(try await iterator.next()?.insertions == [2, 3, 4, 5])
    }

    @Test func `by calls`() throws {
        let seen = Guarded<[[Int]]>([])
        let observation = store.observeChanges(of: Hero.all).start(on: .immediate) { change in
            seen.withLock { $0.append(change.insertions) }
        }
        store.settleObservers()
        try store.insert("Hero", #"{"id": 9, "name": "n"}"#)
        store.settleObservers()
        #expect(seen.withLock { $0 } == [[0, 1], [2]])
        withExtendedLifetime(observation) {}
    }

    @Test(arguments: 0..<20)
    func `random changes applied to the list before give the new one`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let query = Hero.all.sorted { $0.strength.ascending }.limit(12)
        let changes = Guarded<[ListChange<Hero>]>([])
        let observation = store.observeChanges(of: query).start(on: .immediate) { change in
            changes.withLock { $0.append(change) }
        }
        for _ in 0..<25 {
            let id = Int.random(in: 1...20, using: &random)
            let strength = Int.random(in: 0...9, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                try store.run("DELETE FROM Hero WHERE id = \(id)")
            } else {
                try store.insert(
                    "Hero", #"{"id": \#(id), "name": "n", "strength": \#(strength)}"#)
            }
            if Bool.random(using: &random) { store.settleObservers() }
        }
        store.settleObservers()
        var list: [String] = []
        for change in changes.withLock(\.self) { list = Self.apply(change, to: list) }
        #expect(list == (try store.fetch(query)).map(Self.spell))
        withExtendedLifetime(observation) {}
    }

    private static func spell(_ hero: Hero) -> String {
        "\(hero.id) \(hero.name) \(hero.strength ?? -1)"
    }

    /// What a table does: a batch, then the updates.
    private static func apply(_ change: ListChange<Hero>, to old: [String]) -> [String] {
        let leaving = Set(change.deletions + change.moves.map(\.from))
        var list = old.indices.filter { !leaving.contains($0) }.map { old[$0] }
        let arriving =
            change.insertions.map { ($0, spell(change.objects[$0])) }
            + change.moves.map { ($0.to, old[$0.from]) }
        for (place, text) in arriving.sorted(by: { $0.0 < $1.0 }) { list.insert(text, at: place) }
        for place in change.updates {
            #expect(list[place] != spell(change.objects[place]))
            list[place] = spell(change.objects[place])
        }
        return list
    }
}
