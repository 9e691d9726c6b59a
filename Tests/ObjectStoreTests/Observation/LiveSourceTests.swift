import Testing

@testable import LarderObjectStore

struct LiveSourceTests {
    private let store: Store
    private let recorder: ChangeRecorder

    init() throws {
        store = try Comics.store()
        recorder = ChangeRecorder(store)
        for id in 1...40 {
            try store.insert(
                "Hero",
                """
                {"id": \(id), "name": "n\(id)", "strength": \(id % 5),
                 "publisher": {"id": \(id % 3), "name": "p\(id % 3)"}}
                """)
        }
        _ = recorder.take()
    }

    private func source(_ query: Query<Hero>) throws -> QuerySource<Hero> {
        try QuerySource(query, in: store, names: store.tableNames)
    }

    private func evaluate(
        _ source: inout QuerySource<Hero>, after changes: Changes
    ) throws -> LiveList<Hero>? {
        try store.read { try source.evaluate(in: $0, after: changes) }
    }

    @Test func `reads all at first and nothing where nothing has changed`() throws {
        var source = try source(Hero.all)
        #expect(try evaluate(&source, after: Changes())?.objects.count == 40)
        #expect(try evaluate(&source, after: .everything) == nil)
        #expect(try evaluate(&source, after: Changes()) == nil)
    }

    @Test func `reads only the rows which the changes name`() throws {
        var source = try source(Hero.all)
        _ = try evaluate(&source, after: Changes())
        try store.run("UPDATE Hero SET name = 'x'")
        var changes = Changes()
        changes.noteUpdate(
            of: 7, in: try #require(store.tableNames.number(named: "Hero")), columns: [1])
        let list = try #require(try evaluate(&source, after: changes))
        #expect(list.objects.filter { $0.name == "x" }.map(\.id) == [7])
    }

    @Test func `a change that leaves the values as they were is none`() throws {
        var source = try source(Hero.all)
        _ = try evaluate(&source, after: Changes())
        try store.run(
            "UPDATE Hero SET name = 'x' WHERE id = 7", "UPDATE Hero SET name = 'n7' WHERE id = 7")
        let changes = try #require(recorder.take().first)
        #expect(changes.tables.count == 1)
        #expect(try evaluate(&source, after: changes) == nil)
    }

    @Test func `begins with nothing and ends with nothing`() throws {
        try store.run("DELETE FROM Hero WHERE true")
        _ = recorder.take()
        var source = try source(Hero.all)
        #expect(try evaluate(&source, after: Changes())?.objects.isEmpty == true)
        try store.insert("Hero", #"{"id": 1, "name": "a"}"#)
        let inserted = try evaluate(&source, after: recorder.take().last ?? .everything)
        #expect(inserted?.objects.map(\.name) == ["a"])
        try store.run("DELETE FROM Hero WHERE true")
        let deleted = try evaluate(&source, after: recorder.take().last ?? .everything)
        #expect(deleted?.objects.isEmpty == true)
    }

    private static let queries: [Query<Hero>] = [
        Hero.all,
        Hero.where { $0.strength > 2.0 },
        Hero.all.sorted { $0.name.descending },
        Hero.all.sorted { $0.strength.ascending }.sorted { $0.name.ascending }.limit(7).offset(3),
        Hero.where { $0.publisher.name == "p1" }.sorted { $0.publisher.name.ascending },
        Hero.where { $0.powers.count > 1 },
        Hero.where { $0.mentor == nil }.sorted { $0.mentor.name.ascending },
        Hero.all.limit(0),
    ]

    @Test(arguments: 0..<48)
    func `after random transactions it is what the query finds`(_ seed: UInt64) throws {
        let query = Self.queries[Int(seed) % Self.queries.count]
        var source = try source(query)
        var random = SplitMix64(seed: seed)
        var last = try #require(try evaluate(&source, after: Changes()))
        for _ in 0..<30 {
            try write(by: &random)
            var changes = Changes()
            for told in recorder.take() { changes.formUnion(told) }
            let isAffected = source.dependencies.areAffected(by: changes)
            if isAffected, let list = try evaluate(&source, after: changes) {
                #expect(!list.isSame(as: last))
                last = list
            }
            let expected = try store.fetch(query)
            #expect(last.objects.map(Self.spell) == expected.map(Self.spell))
            #expect(last.rows == expected.map { Int64($0.id) })
        }
    }

    private static func spell(_ hero: Hero) -> String {
        "\(hero.id) \(hero.name) \(hero.strength ?? -1) \(hero.isActive) "
            + "\(hero.publisher?.row ?? -1) \(hero.mentor?.row ?? -1)"
    }

    private func write(by random: inout SplitMix64) throws {
        func id() -> Int { Int.random(in: 1...45, using: &random) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try store.run("DELETE FROM Hero WHERE id = \(id())")
        case 1: try store.run("UPDATE Hero SET strength = strength + 1 WHERE id < \(id())")
        case 2: try store.run("UPDATE Publisher SET name = 'p\(id() % 3)'")
        case 3: try store.run("DELETE FROM Publisher WHERE id = \(id() % 3)")
        case 4:
            let powers = (0..<id() % 4).map { #"{"id": "\#($0)", "name": "x"}"# }
            try store.insert(
                "Hero",
                #"{"id": \#(id()), "name": "q", "powers": [\#(powers.joined(separator: ","))]}"#)
        case 5: try store.insert("Hero", #"{"id": \#(id()), "mentor": \#(id())}"#.asHero)
        default:
            try store.insert(
                "Hero",
                #"{"id": \#(id()), "name": "n\#(id())", "strength": \#(id() % 5), "active": false}"#
            )
        }
    }
}

extension String {
    /// With a name, which a new hero must have.
    fileprivate var asHero: String { replacing("{", with: #"{"name": "m", "#, maxReplacements: 1) }
}
