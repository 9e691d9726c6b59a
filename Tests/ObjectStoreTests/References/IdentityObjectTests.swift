import Foundation
import Testing

@testable import LarderObjectStore

/// Objects of nothing but their identity, where a relationship leads and elsewhere.
struct IdentityObjectTests {
    private let store: Store

    init() throws { store = try Hospital.store() }

    private func reason(_ body: () throws -> Void) -> MappingError.Reason? {
        #expect(throws: MappingError.self) { try body() }?.reason
    }

    private func ward(_ id: Int, _ members: String) throws {
        try store.insert("Ward", #"{"id": \#(id), "name": "a", "head": "ann", \#(members)}"#)
    }

    @Test func `one that is known is a reference to it`() throws {
        try ward(1, #""deputy": {"login": "ann"}"#)
        #expect(try store.select(Nurse.references) { $0.login } == ["ann"])
        try store.insert("Nurse", #"{"login": "ann", "name": "Ann"}"#)
        try ward(2, #""deputy": {"login": "ann", "age": 5}"#)
        #expect(try store.find(Nurse.self, id: "ann")?.age == 5)
        #expect(try store.find(Ward.self, id: 2)?.deputy?.fetch().name == "Ann")
    }

    @Test func `one that is not known is an error that says what to do`() throws {
        let reason = reason { try ward(1, #""deputy": {"login": "dan"}"#) }
        guard case .unknownReference? = reason else {
            Issue.record("another reason: \(String(describing: reason))")
            return
        }
        #expect("\(reason!)".contains("partial"))
        #expect(try store.count(DynamicQuery("Nurse").references()) == 0)
    }

    @Test func `one that names a part of what is required is an object with a mistake`() throws {
        try ward(1, #""deputy": "bob""#)
        guard case .missing? = reason({ try store.insert("Room", #"{"floor": 1, "number": 2}"#) })
        else {
            Issue.record("accepted")
            return
        }
        guard case .missing? = reason({ try store.insert("Nurse", #"{"login": "bob"}"#) }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test func `a partial relationship makes references of them`() throws {
        try ward(
            1,
            #""guest": {"login": "dan", "age": 4}, "badges": [{"id": 7}, {"id": 8, "text": "x"}]"#)
        #expect(try store.select(Nurse.references) { $0.login } == ["ann", "dan"])
        #expect(try store.select(Badge.references) { $0.id } == [7])
        #expect(try store.fetch(Badge.all).map(\.id) == [8])
        try store.insert("Badge", #"{"id": 7}"#)
        #expect(try store.fetch(Badge.all).map(\.id) == [7, 8])
        try ward(1, #""badges": [{"id": 7}]"#)
        #expect(try store.fetch(Badge.all).map(\.id) == [7, 8])
        try store.insert("Nurse", #"{"login": "dan", "name": "Dan"}"#)
        #expect(try store.find(Nurse.self, id: "dan")?.age == 4)
    }

    @Test func `one in its owner's list is its owner's`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "User",
                relationships: [
                    RelationshipDescription(
                        "posts", to: "Post", isToMany: true, key: "posts", inverse: "user",
                        isPartial: true)
                ]),
            .numbered(
                "Post", .optional("text"),
                relationships: [
                    RelationshipDescription(
                        "user", to: "User", isOptional: true, key: "user", inverse: "posts")
                ]))
        let report = try fixture.insert("User", #"{"id": 1, "posts": [{"id": 7}]}"#)
        #expect(report["Post"] == .init(1))
        #expect(report["User"] == .init(1, linked: 1))
        let rows = #"SELECT id, user, "$reference" IS NULL FROM Post"#
        #expect(try fixture.rows(rows) == ["7|1|0"])
        // An object that is known moves.
        try fixture.insert("Post", #"{"id": 7, "text": "a"}"#)
        #expect(
            try fixture.insert("User", #"{"id": 2, "posts": [{"id": 7}]}"#)["Post"] == .init(0, 1))
        #expect(try fixture.rows(rows) == ["7|2|1"])
        #expect(
            try fixture.insert("User", #"{"id": 2, "posts": [{"id": 7}]}"#).total == .init(0, 0, 2))
    }

    @Test func `one that names a part of an identity is one reference each time`() throws {
        let place = EntityDescription(
            name: "Place", identity: ["a", "b"],
            attributes: [.required("a", .integer), .optional("b"), .optional("name")])
        let fixture = try StoreFixture(
            .numbered(
                "Trip",
                relationships: [
                    RelationshipDescription(
                        "places", to: "Place", isToMany: true, key: "places", isPartial: true)
                ]), place)
        let json = #"{"id": 1, "places": [{"a": 1}, {"a": 1, "b": null}, {"a": 1, "b": "x"}]}"#
        #expect(try fixture.insert("Trip", json)["Place"] == .init(2))
        #expect(try fixture.insert("Trip", json)["Place"].inserted == 0)
        #expect(
            try fixture.rows(#"SELECT a, b, "$reference" IS NULL FROM Place ORDER BY b"#)
                == ["1|NULL|0", "1|x|0"])
        try fixture.insert("Place", #"{"a": 1, "name": "n"}"#)
        #expect(try fixture.insert("Trip", json)["Place"].inserted == 0)
        #expect(
            try fixture.rows("SELECT a, b, name FROM Place ORDER BY b") == ["1|NULL|n", "1|x|NULL"])
    }

    @Test func `in one document the order does not matter`() throws {
        let partial = #"{"id": 1, "name": "a", "head": "ann", "badges": [{"id": 123456789012}]}"#
        let whole = #"{"id": 2, "name": "a", "head": "ann", "badge": {"id": 123456789012}}"#
        for list in ["[\(partial), \(whole)]", "[\(whole), \(partial)]"] {
            let store = try Hospital.store()
            try store.insert("Ward", list)
            #expect(try store.count(Badge.all) == 1, "\(list)")
            #expect(try store.count(Badge.references) == 0, "\(list)")
        }
    }

    @Test func `several attributes that identify an object stand for it alone`() throws {
        try ward(
            1, #""rooms": [{"floor": 1, "number": 2}, {"floor": 1, "number": 3, "name": "c"}]"#)
        let ward = try #require(try store.find(Ward.self, id: 1))
        #expect(try ward.rooms.count == 2)
        #expect(try ward.rooms.fetch().map(\.number) == [3])
        let json = try store.json(Ward.all)
        let copy = try Hospital.store()
        try copy.import([Ward].self, from: json)
        #expect(try copy.json(Ward.all) == json)
        let floors = try store.select(Room.references) { ($0.floor, $0.number) }
        #expect(floors.map(\.1) == [2])
    }

    @Test func `a bare identity is the object where there is no more to it`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Tag", identity: ["name"], attributes: [.required("name")]))
        try fixture.insert("Tag", #"["a", "b"]"#)
        #expect(try fixture.store.count(DynamicQuery("Tag")) == 2)
    }
}
