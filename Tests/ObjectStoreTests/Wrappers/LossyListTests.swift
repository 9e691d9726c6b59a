import Foundation
import Testing

@testable import LarderObjectStore

/// Lists of which elements that don't fit are left out.
struct LossyListTests {
    private static func json(_ text: String) -> Data { Data(text.utf8) }

    @Test func `what does not fit is left out, with path and reason, and nothing of it is stored`()
        throws
    {
        let store = try Comics.store()
        let (list, report) = try store.importReporting(
            LossyList<Hero>.self,
            from: """
                [{"id": 1, "name": "A"}, {"id": 2}, null,
                 {"id": 3, "name": 7, "publisher": {"id": 9, "name": "P"}},
                 {"id": 4, "name": "D", "powers": [{"id": "x", "name": "X"}]}, "5", 6,
                 {"id": 1, "name": "E"}]
                """)
        #expect(try list.elements.count == 3)
        #expect(try list.elements.fetch().map(\.id) == [1, 4])
        #expect(list.skipped.map(\.path) == ["$[1]", "$[3].name", "$[5]"])
        #expect(list.skipped.first?.reason.contains("required, but missing") == true)
        #expect(report.skipped == list.skipped)
        // A reason may quote what is a secret.
        var text = "\(list.skipped) \(String(reflecting: report))"
        dump(report, to: &text)
        #expect(text.contains("$[3].name") && !text.contains("required, but missing"))
        #expect(report["Hero"].inserted == 3)
        #expect(try store.find(Hero.self, id: 1)?.name == "E")
        #expect(try store.count(Publisher.all) == 0)
        #expect(try store.count(Power.all) == 1)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `what is no list is an error, and so is what the store throws`() throws {
        let store = try Comics.store()
        #expect(throws: DecodingError.self) {
            try store.import(LossyList<Hero>.self, from: Self.json(#"{"id": 1, "name": "A"}"#))
        }
        #expect(throws: JSONError.self) {
            try store.import(LossyList<Hero>.self, from: Self.json(#"[{"id": 1, "name": "A"}, {]"#))
        }
        let cards = try Store.inMemory(entities: Card.self)
        #expect(throws: StoreError.self) {
            try cards.import(LossyList<Power>.self, from: Self.json(#"[{"id": "a"}]"#))
        }
        #expect(try store.count(Hero.all) == 0)
    }

    private struct Team: MappedWrapper {
        var name = ""
        var heroes: LossyList<Hero>?
        var powers: Many<Power>?

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&name, at: "name")
            try map.read(&heroes, at: "heroes")
            try map.read(&powers, at: "powers")
        }
    }

    @Test func `stands in a wrapper, and holds wrappers`() throws {
        let store = try Comics.store()
        let (teams, report) = try store.importReporting(
            LossyList<Team>.self,
            from: """
                [{"name": "a", "heroes": [{"id": 1, "name": "A"}, {"id": 2}], "powers": []},
                 {"name": 7, "heroes": [{"id": 3, "name": "C"}]},
                 {"name": "b", "heroes": [{"id": 4}], "powers": [{"id": "x"}]},
                 {"name": "c", "powers": [{"id": "y", "name": "Y"}]}]
                """)
        let fetched = teams.elements.values
        #expect(fetched.map(\.name) == ["a", "c"])
        #expect(try fetched.first?.heroes?.elements.fetch().map(\.id) == [1])
        #expect(fetched.first?.heroes?.skipped.map(\.path) == ["$[0].heroes[1]"])
        #expect(teams.skipped.map(\.path) == ["$[1]", "$[2].powers[0]"])
        // Those of elements that were left out themselves don't count.
        #expect(report.skipped.count == 3)
        #expect(try store.fetch(Hero.all).map(\.id) == [1])
        #expect(try store.fetch(Power.all).map(\.id) == ["y"])
    }

    @Test func `a part before it that lacks something fails the wrapper`() throws {
        struct Pair: MappedWrapper {
            var first: Many<Hero>?
            var rest: LossyList<Hero>?

            mutating func map(_ map: WrapperMap) throws {
                try map.read(&first, at: "first")
                try map.read(&rest, at: "rest")
            }
        }
        let store = try Comics.store()
        #expect(throws: MappingError.self) {
            try store.import(
                Pair.self,
                from: Self.json(#"{"first": [{"id": 1}], "rest": [{"id": 1, "name": "A"}]}"#))
        }
        #expect(try store.count(Hero.all) == 0)
    }

    private struct Led: Wrapper {
        @Stored var leader: Hero
    }

    @Test func `an object that has not arrived does not fit where one must be`() throws {
        let store = try Comics.store()
        let list = try store.import(
            LossyList<Led>.self,
            from: Self.json(
                #"[{"leader": {"id": 1, "name": "A"}}, {"leader": 9}, {"leader": 1}]"#))
        #expect(list.elements.values.map(\.leader.id) == [1, 1])
        #expect(list.skipped.map(\.path) == ["$[1]"])
        #expect(list.skipped.first?.reason.contains("has not arrived") == true)
        #expect(try store.count(Hero.references) == 0)
    }

    private struct Assigned: Wrapper { @Stored var errand: Errand }

    @Test func `an object that says that it is gone does not fit where one must be`() throws {
        let store = try Store.inMemory(entities: Errand.self, Step.self, Helper.self)
        let list = try store.import(
            LossyList<Assigned>.self,
            from: Self.json(
                #"[{"errand": {"id": 1, "title": "A"}}, {"errand": {"id": 7, "deleted": true}}]"#))
        #expect(list.elements.values.map(\.errand.id) == [1])
        #expect(list.skipped.map(\.path) == ["$[1]"])
    }

    @Test func `what a later element deletes is left out, each in its place`() throws {
        let store = try Store.inMemory(entities: Retort.self)
        try store.import(
            Retort.self, from: Self.json(#"{"id": 1, "answers": [{"id": 2}, {"id": 3}]}"#))
        let (list, report) = try store.importReporting(
            LossyList<Retort>.self,
            from: """
                [{"id": 2}, null, 3, {"id": "x"}, {"id": 1, "answers": []}, {"id": 3},
                 {"id": 4, "answers": [{"id": 5}]}, {"id": 5, "answers": [{"id": 4, "answers": []}]}]
                """)
        // As in a plain list, what has come again stands where it did so.
        #expect(try list.elements.fetch().map(\.id) == [1, 3, 4])
        #expect(list.skipped.map(\.path) == ["$[0]", "$[2]", "$[3].id", "$[7].answers"])
        #expect(list.skipped.first?.reason.contains("deleted") == true)
        #expect(report.skipped == list.skipped)
        #expect(try store.fetch(Retort.all).map(\.id).sorted() == [1, 3, 4, 5])
    }

    @Test func `what is mentioned again once it was deleted does not bring it back`() throws {
        let store = try Store.inMemory(entities: Retort.self)
        try store.import(
            Retort.self, from: Self.json(#"{"id": 1, "answers": [{"id": 2}, {"id": 3}]}"#))
        let list = try store.import(
            LossyList<Retort>.self,
            from: Self.json(
                """
                [{"id": 2, "text": "x"}, 3, {"id": 1, "answers": []}, 2, {"id": 3, "text": "y"},
                 {"id": 4, "answers": [{"id": 5}]}, {"id": 6, "answers": [5]},
                 {"id": 5, "text": "z"}, {"id": 4, "answers": []}, {"id": 7, "answers": [5]}]
                """))
        // Of the second, a bare identity, nothing arrives that could be read.
        #expect(try list.elements.count == 6)
        #expect(try list.elements.fetch().map(\.id) == [1, 3, 4, 6, 7])
        #expect(list.skipped.map(\.path) == ["$[0]", "$[1]", "$[7]"])
        #expect(list.skipped.allSatisfy { $0.reason.contains("later element") })
        #expect(try store.find(Retort.self, id: 2) == nil)
    }

    @Test func `of an element that fails, nothing is deleted that came before`() throws {
        let store = try Store.inMemory(entities: Retort.self)
        try store.import(Retort.self, from: Self.json(#"{"id": 1, "answers": [{"id": 2}]}"#))
        let list = try store.import(
            LossyList<Retort>.self,
            from: Self.json(
                #"[{"id": 2}, {"id": 1, "answers": [], "text": 7}, {"id": 2}, {"id": 3}]"#))
        #expect(try list.elements.fetch().map(\.id) == [2, 3])
        #expect(list.skipped.map(\.path) == ["$[1].text"])
    }

    @Test func `a list whose elements are lists gives them as values`() throws {
        let store = try Comics.store()
        let list = try store.import(
            LossyList<[Hero]>.self,
            from: Self.json(
                #"[[{"id": 1, "name": "A"}], [{"id": 2}], [], [{"id": 3, "name": "C"}]]"#))
        #expect(list.elements.values.map { $0.map(\.id) } == [[1], [], [3]])
        #expect(list.elements.count == 3)
        #expect(list.skipped.map(\.path) == ["$[1][0]"])
    }

    /// What stores two heroes and then fails by an error of its own.
    private struct Fragile: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> Fragile {
            if try Hero.import(from: value, in: context).id == 3 { throw StoreError.closedStore }
            return Fragile()
        }
    }

    private struct Careless<List: Importable>: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> Careless {
            _ = try? List.import(from: value, in: context)
            return Careless()
        }
    }

    @Test func `half of a list that fails is not stored, also where its error is caught`() throws {
        let store = try Comics.store()
        let heroes = Self.json(
            "[\((1...3).map { #"{"id": \#($0), "name": "A"}"# }.joined(separator: ","))]")
        #expect(throws: StoreError.self) {
            try store.import(Careless<LossyList<Fragile>>.self, from: heroes)
        }
        #expect(throws: StoreError.self) {
            try store.import(Careless<[Fragile]>.self, from: heroes)
        }
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `a long list is read part by part`() throws {
        let store = try Comics.store()
        let elements = (1...20_000).map {
            $0.isMultiple(of: 100) ? #"{"id": \#($0)}"# : #"{"id": \#($0), "name": "n\#($0)"}"#
        }
        let list = try store.import(
            LossyList<Hero>.self, from: Self.json("[\(elements.joined(separator: ","))]"))
        #expect(try list.elements.count == 19_800)
        #expect(list.skipped.count == 200)
        #expect(list.skipped.last?.path == "$[19999]")
        #expect(try store.count(Hero.all) == 19_800)
    }

    /// The law: each element does what it does alone, one after the other.
    @Test(arguments: 0..<100)
    func `each element is as it were imported by itself`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let (together, alone) = try (Comics.store(), Comics.store())
        for _ in 0..<3 {
            let heroes = (0..<Int.random(in: 0...8, using: &random)).map { _ in hero(&random) }
            let (list, report) = try together.importReporting(
                LossyList<Hero>.self, from: "[\(heroes.joined(separator: ","))]")
            var (expected, failures) = (ImportReport(), 0)
            for hero in heroes {
                do {
                    expected += try alone.importReporting(One<Hero>.self, from: hero).report
                } catch is MappingError {
                    failures += 1
                }
            }
            #expect(report.entities == expected.entities, "\(heroes)")
            #expect(list.skipped.count == failures, "\(heroes)")
            for name in ["Hero", "Power", "Publisher"] {
                #expect(
                    try together.json(DynamicQuery(name), relationships: .identities)
                        == alone.json(DynamicQuery(name), relationships: .identities), "\(heroes)")
            }
            #expect(try together.checkIntegrity().isSound)
        }
    }

    private struct Page: MappedWrapper {
        var first: Many<Hero>?
        var rest: LossyList<Hero>?
        var last: Many<Hero>?

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&first, at: "first")
            try map.read(&rest, at: "rest")
            try map.read(&last, at: "last")
        }
    }

    /// The law: what stands around it is imported before and after it, or all fails.
    @Test(arguments: 0..<100)
    func `other parts of a wrapper are as they were imported around it`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let (together, alone) = try (Comics.store(), Comics.store())
        for _ in 0..<4 {
            func list() -> [String] {
                (0..<Int.random(in: 0...3, using: &random)).map { _ in hero(&random) }
            }
            let (first, rest, last) = (list(), list() + list(), list())
            let lists = [first, rest, last].map { "[\($0.joined(separator: ","))]" }
            let json = #"{"first": \#(lists[0]), "rest": \#(lists[1]), "last": \#(lists[2])}"#
            let document = try JSONDocument(
                mapped: json.utf8, longArray: Int.random(in: 0...300, using: &random))
            var (expected, found) = (true, true)
            do {
                try alone.write { context in
                    try context.import(Many<Hero>.self, from: lists[0])
                    for hero in rest { _ = try? context.import(One<Hero>.self, from: hero) }
                    try context.import(Many<Hero>.self, from: lists[2])
                }
            } catch is MappingError { expected = false }
            do {
                try together.write { context in try context.import(Page.self, from: document) }
            } catch is MappingError { found = false }
            #expect(found == expected, "\(seed): \(json)")
            for name in ["Hero", "Power", "Publisher"] {
                #expect(
                    try together.json(DynamicQuery(name), relationships: .identities)
                        == alone.json(DynamicQuery(name), relationships: .identities),
                    "\(seed): \(json)")
            }
            #expect(try together.checkIntegrity().isSound, "\(seed): \(json)")
        }
    }

    private func hero(_ random: inout SplitMix64) -> String {
        func id() -> Int { Int.random(in: 1...5, using: &random) }
        var members = [#""id": \#(id())"#]
        if Int.random(in: 0..<4, using: &random) > 0 { members.append(#""name": "n\#(id())""#) }
        if Int.random(in: 0..<5, using: &random) == 0 { members.append(#""strength": "much""#) }
        if Bool.random(using: &random) {
            let power =
                Bool.random(using: &random)
                ? #"{"id": "\#(id())"}"# : #"{"id": "\#(id())", "name": "p"}"#
            members.append(#""powers": [\#(power), "\#(id())"]"#)
        }
        if Bool.random(using: &random) { members.append(#""mentor": {"id": \#(id())}"#) }
        return "{\(members.joined(separator: ", "))}"
    }
}

extension Store {
    /// Imports text and tells what was done.
    fileprivate func importReporting<Value: Importable>(
        _ type: Value.Type, from json: String
    ) throws -> (value: Value, report: ImportReport) {
        try `import`(
            type, from: JSONDocument(json).root, willWait: { _ in }, options: DecodingOptions(),
            isCancelled: { false }, willCommit: {})
    }
}
