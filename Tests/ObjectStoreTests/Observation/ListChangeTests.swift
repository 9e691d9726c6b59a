import LarderPromises
import Testing

@testable import LarderObjectStore

struct ListChangeTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.insert("Hero", #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#)
    }

    @Test(.timeLimit(.minutes(60)))
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

    @Test(.timeLimit(.minutes(60)))
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

struct RowPlacesTests {
    @Test func `a list that stays misses what has changed`() {
        let places = RowPlaces(of: [5, 6, 7], in: [5, 6, 7], changed: [6, 9])
        #expect(places.missing == [1])
        #expect(places.old.isEmpty)
    }

    @Test(arguments: 0..<100)
    func `each row is where it was, or missing`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func some(_ count: Int64) -> [Int64] {
            (0..<count).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        }
        var old = some(30)
        var new = some(33)
        if seed % 3 == 0 { old.shuffle(using: &random) }
        if seed % 3 == 1 { new.shuffle(using: &random) }
        if old == new || old.isEmpty { return }
        let changed = Set(some(Int64(seed % 2) * 30).prefix(Int.random(in: 0...20, using: &random)))
        let places = RowPlaces(of: new, in: old, changed: changed)
        #expect(places.old.count == new.count)
        for (place, row) in new.enumerated() {
            let isMissing = changed.contains(row) || !old.contains(row)
            #expect(places.missing.contains(place) == isMissing)
            if old.contains(row) { #expect(old[places.old[place]] == row) }
        }
    }
}
