import Foundation
import Testing

@testable import LarderObjectStore

@Entity private struct Debate {
    @Identity var id: Int
    var title: String
    @Relationship(inverse: "debate", ordered: false, delete: .cascade) var speeches: Many<Speech>
}

/// What can't be without a debate.
@Entity private struct Speech {
    @Identity var id: Int
    var text: String
    @Relationship(inverse: "speeches") var debate: One<Debate>
    var replies: Many<Speech>
}

/// What has at most two chairs.
@Entity private struct Panel {
    @Identity var id: Int
    @Relationship(inverse: "panel", ordered: false) var chairs: Many<Chair>

    static var rules: [Rule<Panel>] {
        [Rule("has few chairs") { try $0.chairs.count <= 2 }]
    }
}

@Entity private struct Chair {
    @Identity var id: Int
    @Relationship(inverse: "chairs") var panel: One<Panel>
}

@Entity private struct Fair {
    @Identity var id: Int
    @Relationship(inverse: "fair", ordered: false) var rides: Many<Ride>
}

@Entity private struct Ride {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "rides") var fair: One<Fair>
}

@Entity(parent: Ride.self) private struct Coaster {
    @Inherited var id: Int
    @Inherited var name: String
    @Inherited var fair: One<Fair>
    var loops = 0
}

/// What can't be without a market, and has no identity.
@Entity private struct Kiosk {
    var name: String
    @Relationship(inverse: "stalls") var market: One<Bazaar>
}

@Entity private struct Bazaar {
    @Identity var id: Int
    @Relationship(inverse: "market", ordered: false, delete: .cascade) var stalls: Many<Kiosk>
    @Relationship(inverse: "market", ordered: false) var offers: Many<Bargain>
}

@Entity private struct Clerk {
    @Identity var id: Int
    @Relationship(inverse: "clerk", ordered: false) var sales: Many<Sale>
}

@Entity private struct Till {
    @Identity var id: Int
    @Relationship(inverse: "till", ordered: false) var sales: Many<Sale>
}

/// What can't be without either, and has no identity.
@Entity private struct Sale {
    var item: String
    @Relationship(inverse: "sales") var clerk: One<Clerk>
    @Relationship(inverse: "sales") var till: One<Till>
}

/// What may have no identity, beside others of its family that have one.
@Entity private struct Bargain {
    @Identity var code: String?
    var text: String
    @Relationship(inverse: "offers") var market: One<Bazaar>
}

@Entity(parent: Bargain.self) private struct Haggle {
    @Inherited var code: String?
    @Inherited var text: String
    @Inherited var market: One<Bazaar>
    var bids = 0
}

/// Lists of an owner's objects which don't name the owner, though they can't be without one.
struct CompletedOwnersTests {
    private let store: Store
    private let ofSeven = Completeness.whole(\.speeches, of: One<Debate>(id: 7))

    init() throws { store = try .inMemory(entities: Debate.self, Speech.self) }

    private func speeches(of id: Int = 7, in store: Store? = nil) throws -> [Int] {
        let speeches = Speech.where { $0.debate == One(id: id) }.sorted { $0.id.ascending }
        return try (store ?? self.store).select(speeches) { $0.id }
    }

    private struct Page: Wrapper {
        var next: String?
        @Stored var speeches: Many<Speech>
    }

    private struct Entry: Wrapper {
        @Stored var speech: Speech
    }

    @Test func `all of a list get the owner, and what is missing has vanished`() throws {
        try store.import(Debate.self, from: #"{"id": 7, "title": "A"}"#)
        let first = try store.import(
            [Speech].self, from: #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#,
            completing: ofSeven)
        #expect(first.map(\.debate.id) == [7, 7])
        #expect(try speeches() == [1, 2])
        // Some are known by now.
        let second = try store.import(
            [Speech].self, from: #"[{"id": 2, "text": "z"}, {"id": 3, "text": "c"}]"#,
            completing: ofSeven)
        #expect(second.map(\.text) == ["z", "c"])
        #expect(try speeches() == [2, 3])
        #expect(try store.count(Speech.all) == 2)
    }

    @Test func `it is done once`() throws {
        try store.import(Debate.self, from: #"{"id": 7, "title": "A"}"#)
        let report = try store.write { context in
            try context.import(
                Many<Speech>.self, from: #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#,
                completing: ofSeven)
            return context.report
        }
        #expect(report["Speech"] == .init(2))
        #expect(report["Debate"] == .init(linked: 2))
    }

    @Test func `the owner need not have arrived`() throws {
        try store.import([Speech].self, from: #"[{"id": 1, "text": "a"}]"#, completing: ofSeven)
        #expect(try store.count(Debate.references) == 1)
        #expect(try speeches() == [1])
    }

    @Test func `what names another owner, or has one, is the list's all the same`() throws {
        try store.import(Debate.self, from: #"{"id": 8, "title": "B", "speeches": [2]}"#)
        try store.import(Speech.self, from: #"{"id": 2, "text": "b"}"#)
        let list = try store.import(
            [Speech].self,
            from: #"[{"id": 1, "text": "a", "debate": 8}, {"id": 2, "text": "b"}]"#,
            completing: ofSeven)
        #expect(list.map(\.debate.id) == [7, 7])
        #expect(try speeches(of: 8) == [])
    }

    private func linked<Value: Importable>(_ type: Value.Type, _ json: String) throws -> [Int] {
        let store = try Store.inMemory(entities: Debate.self, Speech.self)
        try store.import(type, from: json, completing: ofSeven)
        return try speeches(in: store)
    }

    @Test func `in whichever list, or alone`() throws {
        let list = #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#
        #expect(try linked(Many<Speech>.self, list) == [1, 2])
        #expect(try linked(LossyList<Speech>.self, list) == [1, 2])
        #expect(try linked(Page.self, #"{"next": null, "speeches": \#(list)}"#) == [1, 2])
        #expect(try linked([Entry].self, #"[{"speech": {"id": 1, "text": "a"}}]"#) == [1])
        #expect(try linked(Speech.self, #"{"id": 1, "text": "a"}"#) == [1])
    }

    @Test func `in pages, none of which is the whole`() throws {
        try store.import(Debate.self, from: #"{"id": 7, "title": "A"}"#)
        for page in [#"[{"id": 1, "text": "a"}]"#, #"[{"id": 2, "text": "b"}]"#] {
            let root = try JSONDocument(page).root
            try store.write { context in
                try context.completing(ofSeven, by: root, at: root, isWhole: false) {
                    _ = try context.import([Speech].self, from: root)
                }
            }
        }
        #expect(try speeches() == [1, 2])
    }

    @Test func `in a long list that is mapped some elements at a time`() throws {
        let elements = (1...50).map { #"{"id": \#($0), "text": "a"}"# }
        let json = "[\(elements.joined(separator: ", "))]"
        let root = try JSONDocument(mapped: json.utf8, longArray: 0).root
        try store.import(Many<Speech>.self, from: root, completing: ofSeven)
        #expect(try speeches() == Array(1...50))
        #expect(try store.count(Speech.references) == 0)
    }

    @Test func `what stands deeper is none of the list's, unless it is there, too`() throws {
        let nested = #"{"id": 1, "text": "a", "replies": [{"id": 2, "text": "b"}]}"#
        let error = #expect(throws: MappingError.self) {
            try store.import([Speech].self, from: "[\(nested)]", completing: ofSeven)
        }
        #expect(error?.attribute == "debate")
        #expect(error?.reason == .missing)
        #expect(try store.count(Speech.all) == 0)
        #expect(try store.count(Debate.references) == 0)
        try store.import(
            [Speech].self, from: #"[\#(nested), {"id": 2, "text": "b"}]"#, completing: ofSeven)
        #expect(try speeches() == [1, 2])
    }

    @Test func `a list with something that does not fit leaves nothing`() throws {
        let error = #expect(throws: MappingError.self) {
            try store.import(
                [Speech].self, from: #"[{"id": 1, "text": "a"}, {"id": 2}]"#, completing: ofSeven)
        }
        #expect(error?.attribute == "text")
        #expect(try store.count(Speech.all) == 0)
        #expect(try store.count(Debate.references) == 0)
        let list = try store.import(
            LossyList<Speech>.self, from: #"[{"id": 1}, {"id": 2, "text": "b"}]"#,
            completing: ofSeven)
        #expect(list.skipped.count == 1)
        #expect(try speeches() == [2])
    }

    @Test func `where no list says whose they are they are refused`() throws {
        let json = #"[{"id": 1, "text": "a"}]"#
        #expect(throws: MappingError.self) { try store.import([Speech].self, from: json) }
        #expect(throws: MappingError.self) {
            try store.import([Speech].self, from: json, completing: .whole(Speech.all))
        }
    }

    @Test func `a list that was stored before brings back what is missing, linked`() throws {
        try store.import(
            [Speech].self,
            from: #"[{"id": 1, "text": "a", "debate": 7}, {"id": 2, "text": "b", "debate": 8}]"#)
        try store.delete(One<Speech>(id: 1))
        let root = try JSONDocument(#"[{"id": 1, "text": "a"}, {"id": 2, "text": "z"}]"#).root
        let arrival = ListArrival(
            ofSeven, besides: VanishingCandidates(noneOf: ofSeven), in: root, isWhole: false)
        try store.write { context in
            let list = try context.receive([Speech].self, from: root, as: arrival, isKnown: true)
            #expect(list.map(\.debate.id) == [7, 8])
        }
        #expect(try speeches() == [1])
        #expect(try store.find(Speech.self, id: 2)?.text == "b")
    }

    @Test func `the owner's rules are asked once what has vanished is gone`() throws {
        let store = try Store.inMemory(entities: Panel.self, Chair.self)
        let chairs = Completeness.whole(\.chairs, of: One<Panel>(id: 1))
        try store.save(Panel(id: 1, chairs: []))
        try store.import([Chair].self, from: #"[{"id": 1}, {"id": 2}]"#, completing: chairs)
        let error = #expect(throws: WritingError.self) {
            try store.import(
                [Chair].self, from: #"{"more": true, "list": [{"id": 3}]}"#, at: "list",
                completing: chairs.unless("more"))
        }
        #expect(error?.reason == .rule("has few chairs"))
        #expect(try store.count(Chair.all) == 2)
        try store.import([Chair].self, from: #"[{"id": 3}, {"id": 4}]"#, completing: chairs)
        #expect(try store.select(Chair.all.sorted { $0.id.ascending }) { $0.id } == [3, 4])
    }

    @Test func `what is of a kind below gets the owner, too`() throws {
        let store = try Store.inMemory(entities: Fair.self, Ride.self, Coaster.self)
        let rides = Completeness.whole(\.rides, of: One<Fair>(id: 1))
        try store.import([Ride].self, from: #"[{"id": 1, "name": "a"}]"#, completing: rides)
        let list = try store.import(
            [Coaster].self, from: #"[{"id": 2, "name": "b", "loops": 3}]"#, completing: rides)
        #expect(list.map(\.fair.id) == [1])
        let found = Ride.where { $0.fair == One(id: 1) }.sorted { $0.id.ascending }
        #expect(try store.select(found) { $0.id } == [1, 2])
    }

    private func market() throws -> Store {
        try .inMemory(entities: Bazaar.self, Kiosk.self, Bargain.self, Haggle.self)
    }

    @Test func `what nothing identifies gets the owner as it is written`() throws {
        let store = try market()
        let stalls = Completeness.whole(\.stalls, of: One<Bazaar>(id: 1))
        func names() throws -> [String] {
            try store.select(Kiosk.all.sorted { $0.name.ascending }) { $0.name }
        }
        try store.import(Bazaar.self, from: #"{"id": 1, "stalls": [{"name": "z"}]}"#)
        let json = #"[{"name": "b"}, {"name": "a"}]"#
        let list = try store.import([Kiosk].self, from: json, completing: stalls)
        #expect(list.map(\.market.id) == [1, 1])
        #expect(try names() == ["a", "b"])
        let lossy = try store.import(
            LossyList<Kiosk>.self, from: #"[{"name": "c"}, {"names": "d"}]"#, completing: stalls)
        #expect(lossy.skipped.map(\.path) == ["$[1]"])
        // A list that lacks elements shows nothing to be gone.
        #expect(try names() == ["a", "b", "c"])
        #expect(throws: MappingError.self) { try store.import([Kiosk].self, from: json) }
    }

    @Test func `and each of those that it can't be without, unless it names one`() throws {
        let store = try Store.inMemory(entities: Clerk.self, Till.self, Sale.self)
        let whole = Completeness.whole(\.sales, of: One<Clerk>(id: 1))
            .and(.whole(\.sales, of: One<Till>(id: 2)))
        for json in [#"[{"item": "a"}, {"item": "b", "till": 3}]"#, #"[{"item": "c"}]"#] {
            let list = try store.import([Sale].self, from: json, completing: whole)
            #expect(list.allSatisfy { $0.clerk.id == 1 && $0.till.id == 2 })
            #expect(try store.count(Sale.all) == list.count)
        }
    }

    @Test func `of a family what has no identity gets it, too`() throws {
        let store = try market()
        let offers = Completeness.whole(\.offers, of: One<Bazaar>(id: 1))
        let list = try store.import(
            [Bargain].self, from: #"[{"code": "x", "text": "a"}, {"text": "b"}]"#,
            completing: offers)
        #expect(list.map(\.market.id) == [1, 1])
        try store.import(
            [Haggle].self, from: #"[{"text": "c", "bids": 2}]"#, completing: offers)
        // Of a kind below all of the others are none of the list's.
        let all = try store.fetch(Bargain.all.sorted { $0.text.ascending })
        #expect(all.map(\.text) == ["a", "b", "c"] && all.allSatisfy { $0.market.id == 1 })
    }

    private struct Place: Wrapper {
        @Stored var kiosk: Kiosk
    }

    @Test func `so does what stands in wrappers, or alone`() throws {
        let stalls = Completeness.whole(\.stalls, of: One<Bazaar>(id: 1))
        let kiosk = #"{"name": "a"}"#
        func owner<Value: Importable>(
            _ type: Value.Type, _ json: String, at path: String? = nil
        ) throws -> [Int?] {
            let store = try market()
            try store.import(type, from: json, at: path, completing: stalls)
            return try store.fetch(Kiosk.all).map(\.market.id)
        }
        #expect(try owner(Kiosk.self, kiosk) == [1])
        #expect(try owner([Place].self, #"[{"kiosk": \#(kiosk)}]"#) == [1])
        #expect(try owner([Place].self, #"{"items": [{"kiosk": \#(kiosk)}]}"#, at: "items") == [1])
        #expect(try owner(Place.self, #"{"kiosk": \#(kiosk)}"#) == [1])
    }
}
