import Foundation
import Testing

@testable import LarderObjectStore

/// A shop whose lists are the whole of something.
@Entity struct Ware {
    @Identity var id: Int
    var name: String
    var isOnSale = false
    @Attribute(mapped: false) var isGone = false
    @Attribute(mapped: false) var goneAt: Date?
    @Relationship(inverse: "wares") var shop: One<Stall>?
    @Relationship(delete: .cascade) var parts: Many<Part>
    var twin: One<Ware>?
}

@Entity struct Stall {
    @Identity var id: Int
    var name: String?
    @Relationship(inverse: "shop", ordered: false) var wares: Many<Ware>
    var offers: Many<Ware>
}

@Entity struct Part {
    @Identity var name: String
}

@Entity struct Order {
    @Identity var id: Int
    var ware: One<Ware>
}

/// A tree.
@Entity struct Branch {
    @Identity var id: Int
    @Relationship(inverse: "children") var parent: One<Branch>?
    @Relationship(inverse: "parent", ordered: false) var children: Many<Branch>
}

/// What nothing identifies.
@Entity struct Sighting {
    var text: String
}

@Entity struct Ledger {
    @Identity var id: Int
    @Relationship(delete: .cascade) var sightings: Many<Sighting>
}

/// What a list is the whole of, and does not have, has vanished.
struct CompletenessTests {
    private let store: Store

    init() throws {
        store = try .inMemory(entities: Ware.self, Stall.self, Part.self, Order.self)
        try store.import(
            [Ware].self,
            from: """
                [{"id": 1, "name": "A", "isOnSale": true, "parts": [{"name": "p"}, {"name": "q"}]},
                 {"id": 2, "name": "B", "isOnSale": true, "parts": [{"name": "q"}]},
                 {"id": 3, "name": "C", "parts": [{"name": "r"}]}]
                """)
    }

    private func ids(_ query: Query<Ware> = Ware.all) throws -> [Int] {
        try store.select(query.sorted { $0.id.ascending }) { $0.id }
    }

    private func parts() throws -> [String] {
        try store.select(Part.all.sorted { $0.name.ascending }) { $0.name }
    }

    /// A list that is tried, whatever comes of it.
    private struct Tolerant: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> Tolerant {
            _ = try? context.import([Ware].self, from: value)
            return Tolerant()
        }
    }

    private struct Branches: Wrapper {
        @Stored var branch: Branch
        @Stored var parent: Branch?
        @Stored var children: Many<Branch>
    }

    @Test func `what stands beside a list is not in it`() throws {
        let store = try Store.inMemory(entities: Branch.self)
        try store.import(
            Branches.self,
            from: #"""
                {"branch": {"id": 1, "parent": {"id": 9}}, "parent": {"id": 9, "parent": {"id": 10}},
                 "children": [{"id": 2}, {"id": 3}]}
                """#,
            completing: .whole(\.children, of: One<Branch>(id: 1)))
        let branch = try #require(try store.find(Branch.self, id: 1))
        #expect(branch.parent?.id == 9)
        #expect(try branch.children.fetch().map(\.id) == [2, 3])
        #expect(try store.find(Branch.self, id: 9)?.parent?.id == 10)
    }

    private struct Edge: Wrapper {
        @Stored var node: Branch
    }

    private struct Connection<Edges: Importable>: Wrapper {
        var next: String?
        @Stored var edges: Edges
    }

    private struct PlainConnection: Wrapper {
        var next: String?
        var edges: [Edge]
    }

    private struct Crumbs: Wrapper {
        var path: [Edge]
        @Stored var children: Many<Branch>
    }

    @Test func `what stands in another list's elements is not in the list beside that`() throws {
        let store = try Store.inMemory(entities: Branch.self)
        try store.import(
            Crumbs.self,
            from: #"{"path": [{"node": {"id": 0}}, {"node": {"id": 1}}], "children": [{"id": 2}]}"#,
            completing: .whole(\.children, of: One<Branch>(id: 1)))
        #expect(try store.find(Branch.self, id: 1)?.children.fetch().map(\.id) == [2])
    }

    private func children<Content: Importable>(in type: Content.Type) throws -> [Int]? {
        let store = try Store.inMemory(entities: Branch.self)
        try store.import(Branch.self, from: #"{"id": 1, "children": [{"id": 4}]}"#)
        try store.import(
            Content.self,
            from: #"""
                {"next": null,
                 "edges": [{"node": {"id": 2, "children": [{"id": 5}]}}, {"node": {"id": 3}}]}
                """#,
            completing: .whole(\.children, of: One<Branch>(id: 1)))
        return try store.find(Branch.self, id: 1)?.children.fetch().map(\.id)
    }

    @Test func `what stands in the elements of a list is in it, whatever stands in that`() throws {
        #expect(try children(in: Connection<[Edge]>.self) == [2, 3])
        #expect(try children(in: Connection<Many<Edge>>.self) == [2, 3])
        #expect(try children(in: Connection<LossyList<Edge>>.self) == [2, 3])
        #expect(try children(in: PlainConnection.self) == [2, 3])
    }

    @Test func `the elements of a tolerant list are in it`() throws {
        struct Wares: Wrapper {
            @Stored var best: Ware
            @Stored var wares: LossyList<Ware>
        }
        try store.import(Stall.self, from: #"{"id": 1, "name": "S"}"#)
        try store.import(
            Wares.self,
            from: #"{"best": {"id": 3, "name": "C"}, "wares": [{"id": 1, "name": "A"}]}"#,
            completing: .whole(\.offers, of: One<Stall>(id: 1)))
        let offers = try store.find(Stall.self, id: 1)?.offers.fetch()
        #expect(offers?.map(\.id) == [1])
    }

    @Test func `a list that was given up shows nothing to have vanished`() throws {
        try store.import(
            Tolerant.self,
            from: #"[{"id": 1, "name": "A"}, {"id": "x"}, {"id": 3, "name": "C"}]"#,
            completing: .whole(Ware.all))
        #expect(try ids() == [1, 2, 3])
        try store.import(
            Tolerant.self, from: #"[{"id": 1, "name": "A"}, {"id": 3, "name": "C"}]"#,
            completing: .whole(Ware.all))
        #expect(try ids() == [1, 3])
    }

    // MARK: Queries

    @Test func `what a whole list lacks is deleted with what goes along, and counted`() throws {
        let report = try store.write { context in
            let list = try context.import(
                Many<Ware>.self, from: #"[{"id": 2, "name": "B"}, {"id": 4, "name": "D"}]"#,
                completing: .whole(Ware.all))
            #expect(try list.count == 2)
            return context.report
        }
        #expect(try ids() == [2, 4])
        #expect(report["Ware"].deleted == 2 && report["Part"].deleted == 3)
        #expect(report["Ware"].inserted == 1 && report["Ware"].unchanged == 1)
    }

    @Test func `what the query does not find stays`() throws {
        try store.import(
            [Ware].self, from: #"[{"id": 1, "name": "A"}]"#,
            completing: .whole(Ware.where { $0.isOnSale == true }))
        #expect(try ids() == [1, 3])
    }

    @Test func `an object that the list itself takes out of the query stays`() throws {
        try store.import(
            [Ware].self, from: #"[{"id": 1, "name": "A", "isOnSale": false}]"#,
            completing: .whole(Ware.where { $0.isOnSale == true }))
        #expect(try ids() == [1, 3])
    }

    @Test func `an empty list is a list, and null is none`() throws {
        try store.import(
            Many<Ware>?.self, from: #"{"data": null}"#, at: "data",
            completing: .whole(Ware.all))
        #expect(try ids() == [1, 2, 3])
        try store.import(
            Many<Ware>?.self, from: #"{"data": []}"#, at: "data", completing: .whole(Ware.all))
        #expect(try ids() == [])
    }

    @Test func `a single object, and a list of something else, show nothing`() throws {
        try store.import(
            Ware.self, from: #"{"id": 1, "name": "A"}"#, completing: .whole(Ware.all))
        try store.import(
            Holder.self, from: #"{"shops": [{"id": 1}]}"#, completing: .whole(Ware.all))
        #expect(try ids() == [1, 2, 3])
        try store.import(
            Holder.self, from: #"{"shops": [{"id": 1}], "wares": [3]}"#,
            completing: .whole(Ware.all))
        #expect(try ids() == [3])
    }

    @Test func `bare identities count as there, and so does what is named inside others`() throws {
        try store.import(
            Many<Ware>.self, from: #"[1, {"id": 5, "name": "E", "twin": 3}]"#,
            completing: .whole(Ware.all))
        #expect(try ids() == [1, 3, 5])
    }

    @Test func `nested lists are the whole of what they say`() throws {
        try store.import(
            Many<Ware>.self,
            from: #"[{"id": 1, "name": "A", "parts": [{"name": "p"}, {"name": "s"}]}, 2]"#,
            completing: .whole(Part.all))
        // Of those that fell out of a list of theirs, too.
        #expect(try parts() == ["p", "s"])
        #expect(try ids() == [1, 2, 3])
        try store.import(
            Many<Ware>.self, from: #"[{"id": 1, "name": "A", "parts": []}]"#,
            completing: .whole(Ware.all).and(.whole(Part.all)))
        #expect(try parts() == [] && ids() == [1])
    }

    @Test(arguments: ["[1, 2, 3]", #"[{"id": 1, "name": "Z"}, 2, 3]"#, "[null]"])
    func `nested lists that no object has show nothing`(_ json: String) throws {
        try store.import(Many<Ware>.self, from: json, completing: .whole(Part.all))
        #expect(try parts() == ["p", "q", "r"])
        try store.import(Many<Ware>.self, from: "[]", completing: .whole(Part.all))
        #expect(try parts() == [])
    }

    @Test func `what goes together denies nothing, in whichever order it is said`() throws {
        for isFirst in [true, false] {
            try store.import(Order.self, from: #"{"id": 1, "ware": {"id": 9, "name": "N"}}"#)
            let (wares, orders) = (Completeness.whole(Ware.all), Completeness.whole(Order.all))
            try store.import(
                Trade.self, from: #"{"wares": [1, 2, 3], "orders": []}"#,
                completing: isFirst ? wares.and(orders) : orders.and(wares))
            #expect(try ids() == [1, 2, 3] && store.count(Order.all) == 0)
        }
    }

    @Test func `what an owner that goes as well has linked is no one's`() throws {
        for isFirst in [true, false] {
            try store.import(
                [Stall].self,
                from: #"[{"id": 1, "name": "S", "offers": [1, 2]}, {"id": 2, "offers": [2]}]"#)
            try store.import(Ware.self, from: #"{"id": 2, "name": "B"}"#)
            let stalls = Completeness.whole(Stall.all)
            let offers = Completeness.whole(\.offers, of: One<Stall>(id: 1))
            try store.import(
                Holder.self, from: #"{"shops": [1], "wares": [1]}"#,
                completing: isFirst ? stalls.and(offers) : offers.and(stalls))
            #expect(try ids() == [1, 3] && store.count(Stall.all) == 1)
        }
    }

    @Test func `lists of wrappers, and lists in a wrapper, count`() throws {
        try store.import(
            Many<Entry>.self, from: #"[{"ware": {"id": 1, "name": "A"}}, {"ware": 2}]"#,
            completing: .whole(Ware.all))
        #expect(try ids() == [1, 2])
        try store.import(Many<Entry>.self, from: "[]", completing: .whole(Ware.all))
        #expect(try ids() == [])
    }

    @Test func `a list of which an element was left out shows nothing`() throws {
        let list = try store.import(
            LossyList<Ware>.self, from: #"[{"id": 1, "name": "A"}, {"id": 2, "name": 7}]"#,
            completing: .whole(Ware.all))
        #expect(list.skipped.count == 1)
        #expect(try ids() == [1, 2, 3])
        try store.import(
            LossyList<Ware>.self, from: #"[{"id": 1, "name": "A"}]"#,
            completing: .whole(Ware.all))
        #expect(try ids() == [1])
        try store.import(LossyList<Ware>.self, from: "[]", completing: .whole(Ware.all))
        #expect(try ids() == [])
    }

    @Test(arguments: ["true", "\"abc\"", "7", #"{"next": 1}"#, "[1]"])
    func `a document that says there is more shows nothing`(_ sign: String) throws {
        try store.import(
            Many<Ware>.self, from: #"{"items": [], "page": {"more": \#(sign)}}"#, at: "items",
            completing: .whole(Ware.all).unless("page.more"))
        #expect(try ids() == [1, 2, 3])
    }

    @Test(arguments: ["false", "null", "\"\"", "0", "[]", "{}", "\"false\""])
    func `a document that says there is no more is whole`(_ sign: String) throws {
        try store.import(
            Many<Ware>.self, from: #"{"items": [1], "page": {"more": \#(sign)}}"#, at: "items",
            completing: .whole(Ware.all).unless("page.more", "other"))
        #expect(try ids() == [1])
    }

    @Test func `where something refuses to go nothing of the list is stored`() throws {
        try store.import(Order.self, from: #"{"id": 1, "ware": 3}"#)
        let error = #expect(throws: WritingError.self) {
            try store.import(
                Many<Ware>.self, from: #"[{"id": 1, "name": "Z"}]"#, completing: .whole(Ware.all))
        }
        #expect(error?.reason == .leftWithout(count: 1))
        #expect(try ids() == [1, 2, 3])
        #expect(try store.find(Ware.self, id: 1)?.name == "A")
    }

    @Test func `a list that does not fit deletes nothing`() throws {
        #expect(throws: MappingError.self) {
            try store.import(
                Many<Ware>.self, from: #"[{"id": 1, "name": 1}]"#, completing: .whole(Ware.all))
        }
        #expect(try ids() == [1, 2, 3])
    }

    @Test func `a query with a limit is refused`() throws {
        let error = #expect(throws: CompletenessError.self) {
            try store.import(
                Many<Ware>.self, from: "[1]", completing: .whole(Ware.all.limit(2)))
        }
        #expect(error?.reason == .limitedQuery)
        #expect("\(error as Any)".contains("Ware: no list is the whole of a query with a limit"))
    }

    @Test func `those who observe hear of what goes`() async throws {
        var seen = store.observe(Ware.all.sorted { $0.id.ascending }).makeAsyncIterator()
        #expect(try await seen.next()?.map(\.id) == [1, 2, 3])
        try store.import(Many<Ware>.self, from: "[2]", completing: .whole(Ware.all))
        #expect(try await seen.next()?.map(\.id) == [2])
    }

    // MARK: Nearly empty lists

    private func fill(_ count: Int) throws {
        let wares = (1...count).map { #"{"id": \#($0), "name": "W"}"# }
        try store.import(Many<Ware>.self, from: "[\(wares.joined(separator: ","))]")
    }

    @Test func `a nearly empty list of what was much is refused`() throws {
        try fill(30)
        let error = #expect(throws: CompletenessError.self) {
            try store.import(
                Many<Ware>.self, from: #"[1, {"id": 2, "name": "New"}]"#,
                completing: .whole(Ware.all))
        }
        #expect(error?.reason == .nearlyEmpty(known: 30, kept: 2))
        #expect(error?.description.contains("keeps 2 of 30 objects") == true)
        #expect(try ids().count == 30 && store.find(Ware.self, id: 2)?.name == "W")
        try store.import(Many<Ware>.self, from: "[1, 2, 3]", completing: .whole(Ware.all))
        #expect(try ids() == [1, 2, 3])
    }

    @Test func `one of all new objects is refused as well`() throws {
        try fill(30)
        let wares = (101...160).map { #"{"id": \#($0), "name": "W"}"# }.joined(separator: ",")
        #expect(throws: CompletenessError.self) {
            try store.import(Many<Ware>.self, from: "[\(wares)]", completing: .whole(Ware.all))
        }
    }

    @Test func `the rule can be another, or none`() throws {
        try fill(20)
        #expect(throws: CompletenessError.self) {
            try store.import(
                Many<Ware>.self, from: "[1, 2, 3, 4]",
                completing: .whole(Ware.all).refusingEmptying(ofMoreThan: 5, keepingLessThan: 0.5))
        }
        try store.import(Many<Ware>.self, from: "[1]", completing: .whole(Ware.all))
        #expect(try ids() == [1])
        try fill(40)
        try store.import(
            Many<Ware>.self, from: "[]", completing: .whole(Ware.all).allowingEmptying())
        #expect(try ids() == [])
    }

    @Test func `each of several lists has its own rule, in whichever order they are said`() throws {
        try fill(30)
        let stalls = (1...30).map { #"{"id": \#($0), "name": "S"}"# }.joined(separator: ",")
        try store.import(Many<Stall>.self, from: "[\(stalls)]")
        let wares = Completeness.whole(Ware.all)
        let strict = wares.refusingEmptying(ofMoreThan: 5, keepingLessThan: 0.5)
        let shops = Completeness.whole(Stall.all).allowingEmptying()
        for (completeness, list, kept) in [
            (wares.and(shops), "[1]", 1), (shops.and(wares), "[1]", 1),
            (strict.and(shops), "[1, 2, 3, 4]", 4), (shops.and(strict), "[1, 2, 3, 4]", 4),
        ] {
            let error = #expect(throws: CompletenessError.self) {
                try store.import(
                    Holder.self, from: #"{"shops": [1], "wares": \#(list)}"#,
                    completing: completeness)
            }
            #expect(error?.entity == "Ware")
            #expect(error?.reason == .nearlyEmpty(known: 30, kept: kept))
            #expect(try ids().count == 30 && store.count(Stall.all) == 30)
        }
        try store.import(
            Holder.self, from: #"{"shops": [1], "wares": [1]}"#,
            completing: strict.and(shops).allowingEmptying())
        #expect(try ids() == [1] && store.count(Stall.all) == 1)
    }

    @Test func `of what has no identity a list keeps as many as it brings`() throws {
        for completeness in [
            Completeness.whole(Sighting.all), .whole(\.sightings, of: One<Ledger>(id: 1)),
        ] {
            let store = try Store.inMemory(entities: Ledger.self, Sighting.self)
            func refresh(_ count: Int) throws {
                let list = (0..<count).map { #"{"text": "\#($0)"}"# }.joined(separator: ",")
                try store.import(
                    Many<Sighting>.self, from: "[\(list)]", completing: completeness)
            }
            try refresh(30)
            try refresh(30)
            #expect(try store.count(Sighting.all) == 30)
            let error = #expect(throws: CompletenessError.self) { try refresh(2) }
            #expect(error?.reason == .nearlyEmpty(known: 30, kept: 2))
            #expect(try store.count(Sighting.all) == 30)
            try refresh(3)
            #expect(try store.count(Sighting.all) == 3)
        }
    }

    // MARK: Marks

    @Test func `what vanishes can be marked, and what comes back loses the mark`() throws {
        let whole = Completeness.whole(Ware.all, marking: \.isGone)
        try store.import(Many<Ware>.self, from: "[1]", completing: whole)
        #expect(try ids() == [1, 2, 3])
        #expect(try ids(Ware.where { $0.isGone == true }) == [2, 3])
        let report = try store.write { context in
            try context.import(Many<Ware>.self, from: "[1, 3]", completing: whole)
            return context.report
        }
        #expect(try ids(Ware.where { $0.isGone == true }) == [2])
        #expect(report["Ware"].updated == 1 && report["Ware"].deleted == 0)
    }

    @Test func `a list that is not whole takes marks from what it names, and gives none`() throws {
        let whole = Completeness.whole(Ware.all, marking: \.isGone)
        try store.import(Many<Ware>.self, from: "[1]", completing: whole)
        try store.import(
            Many<Ware>.self, from: #"{"more": true, "items": [3]}"#, at: "items",
            completing: whole.unless("more"))
        #expect(try ids(Ware.where { $0.isGone == true }) == [2])
    }

    @Test func `a mark can be the date at which it was missed first`() throws {
        let whole = Completeness.whole(Ware.where { $0.isOnSale == true }, marking: \.goneAt)
        let before = Date()
        try store.import(Many<Ware>.self, from: "[1]", completing: whole)
        let first = try #require(try store.find(Ware.self, id: 2)?.goneAt)
        #expect(first >= before && first <= Date())
        try store.import(Many<Ware>.self, from: "[1]", completing: whole)
        #expect(try store.find(Ware.self, id: 2)?.goneAt == first)
        try store.import(Many<Ware>.self, from: "[2]", completing: whole)
        #expect(try store.find(Ware.self, id: 2)?.goneAt == nil)
        #expect(try store.find(Ware.self, id: 1)?.goneAt != nil)
    }

    // MARK: Relationships

    private func linked(_ shop: Int) throws -> [Int] {
        try store.find(Stall.self, id: shop)?.wares.fetch().map(\.id).sorted() ?? []
    }

    @Test func `a list of a parent's objects links what it has and deletes what it lacks`() throws {
        try store.import(Stall.self, from: #"{"id": 1, "name": "S", "wares": [1, 2]}"#)
        try store.import(
            Many<Ware>.self, from: #"[{"id": 2, "name": "B"}, {"id": 4, "name": "D"}]"#,
            completing: .whole(\.wares, of: One<Stall>(id: 1)))
        #expect(try ids() == [2, 3, 4])
        #expect(try linked(1) == [2, 4])
    }

    @Test func `an empty list of one parent leaves those of another`() throws {
        try store.import(
            [Stall].self,
            from: #"[{"id": 1, "name": "S", "wares": [1]}, {"id": 2, "name": "T", "wares": [2]}]"#)
        try store.import(
            Many<Ware>.self, from: "[]", completing: .whole(\.wares, of: One<Stall>(id: 1)))
        #expect(try ids() == [2, 3])
    }

    @Test func `what others link too loses the link alone, and the order is the list's`() throws {
        try store.import(
            [Stall].self,
            from: """
                [{"id": 1, "name": "S", "offers": [1, 2, 3]}, {"id": 2, "name": "T", "offers": [2]}]
                """)
        try store.import(
            Many<Ware>.self, from: #"[3, {"id": 4, "name": "D"}]"#,
            completing: .whole(\.offers, of: One<Stall>(id: 1)))
        #expect(try ids() == [2, 3, 4])
        let shops = try store.fetch(Stall.all.sorted { $0.id.ascending })
        #expect(try shops.map { try $0.offers.fetch().map(\.id) } == [[3, 4], [2]])
    }

    @Test func `the parent need not have arrived`() throws {
        try store.import(
            Many<Ware>.self, from: "[1]", completing: .whole(\.offers, of: One<Stall>(id: 9)))
        #expect(try store.count(Stall.references) == 1)
        #expect(try ids() == [1, 2, 3])
        try store.import(
            Many<Ware>.self, from: "[2]", completing: .whole(\.offers, of: One<Stall>(id: 9)))
        #expect(try ids() == [2, 3])
    }

    @Test func `a list that is not whole adds its links`() throws {
        try store.import(Stall.self, from: #"{"id": 1, "name": "S", "offers": [1]}"#)
        try store.import(
            Many<Ware>.self, from: #"{"more": true, "items": [3]}"#, at: "items",
            completing: .whole(\.offers, of: One<Stall>(id: 1)).unless("more"))
        #expect(try store.find(Stall.self, id: 1)?.offers.fetch().map(\.id) == [1, 3])
    }

    @Test func `marked objects of a parent stay linked`() throws {
        try store.import(Stall.self, from: #"{"id": 1, "name": "S", "wares": [1, 2]}"#)
        try store.import(
            Many<Ware>.self, from: "[1]",
            completing: .whole(\.wares, of: One<Stall>(id: 1), marking: \.isGone))
        #expect(try linked(1) == [1, 2])
        #expect(try ids(Ware.where { $0.isGone == true }) == [2])
    }

    // MARK: In a transaction

    @Test func `a list that is refused in a transaction leaves the rest of that as it is`() throws {
        try fill(30)
        try store.write { context in
            try context.import(Ware.self, from: #"{"id": 99, "name": "N"}"#)
            #expect(throws: CompletenessError.self) {
                try context.import(Many<Ware>.self, from: "[]", completing: .whole(Ware.all))
            }
            #expect(context.report["Ware"].deleted == 0)
        }
        #expect(try ids().count == 31)
    }

    private struct Holder: Wrapper {
        @Stored var shops: Many<Stall>
        @Stored var wares: Many<Ware>?
    }

    private struct Entry: Wrapper {
        @Stored var ware: One<Ware>
    }

    private struct Trade: Wrapper {
        @Stored var wares: Many<Ware>
        @Stored var orders: Many<Order>
    }
}
