import Foundation
import Testing

@testable import LarderObjectStore

/// Bare identities where objects are expected, and rows that are not complete yet.
struct MapperReferencesTests {
    @Test func `references make rows that a later object fills`() throws {
        let comics = try Comics.fixture()
        #expect(try comics.insert("Hero", "[1699, 1455, 1699]")["Hero"] == .init(2))
        #expect(
            try comics.rows("SELECT id, name FROM Hero ORDER BY id") == ["1455|NULL", "1699|NULL"])
        #expect(
            try comics.insert("Hero", #"{"id": 1699, "name": "Batman"}"#)["Hero"] == .init(0, 1))
        #expect(
            try comics.rows("SELECT id, name, isActive FROM Hero ORDER BY id")
                == ["1455|NULL|NULL", "1699|Batman|1"])
    }

    @Test func `a reference to an object that is there changes nothing`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        let version = try comics.dataVersion
        #expect(try comics.insert("Hero", "[1]") == ImportReport())
        #expect(try comics.dataVersion == version)
    }

    @Test func `a reference and then the object in one document count as one`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Hero",
            """
            [{"id": 1, "name": "A", "publisher": 5, "powers": ["x", "y"]},
             {"id": 2, "name": "B", "publisher": {"id": 5, "name": "P"},
              "powers": [{"id": "y", "name": "Y"}, {"id": "x", "name": "X"}]}]
            """)
        #expect(report["Publisher"] == .init(1))
        #expect(report["Power"] == .init(2))
        #expect(try comics.rows("SELECT id, name FROM Publisher") == ["5|P"])
        #expect(try comics.rows("SELECT id, name FROM Power ORDER BY id") == ["x|X", "y|Y"])
    }

    @Test func `the object and then a reference in one document count as one`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Hero",
            """
            [{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"},
              "powers": [{"id": "x", "name": "X"}]},
             {"id": 2, "name": "B", "publisher": 5, "powers": ["x"]}]
            """)
        #expect(report["Publisher"] == .init(1))
        #expect(report["Power"] == .init(1))
        #expect(
            try comics.rows("SELECT id, publisher FROM Hero ORDER BY id") == ["1|5", "2|5"])
    }

    @Test func `queries do not find an object that only a reference made`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"[1, {"id": 2, "name": "B", "publisher": 5, "powers": ["x"]}]"#)
        #expect(try comics.store.fetch(Hero.all).map(\.id) == [2])
        #expect(try comics.store.count(Hero.all) == 1)
        #expect(try comics.store.count(Publisher.all) == 0)
        #expect(try comics.store.count(Hero.where { $0.publisher.name == "P" }) == 0)
        let hero = try #require(try comics.store.first(Hero.all))
        #expect(try hero.powers.fetch().isEmpty)
    }

    @Test func `fetching an object that only a reference made is an error that says so`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 2, "name": "B", "publisher": 5}"#)
        let hero = try #require(try comics.store.first(Hero.all))
        let publisher = try #require(hero.publisher)
        let error = #expect(throws: StoreError.self) { try publisher.fetch() }
        #expect(error?.reason == .incompleteObject)
        #expect(error?.message.contains("Publisher 5 is known by a reference only") == true)

        let heroes: Many<Hero> = try comics.store.import(from: Data("[9]".utf8))
        #expect(try heroes.count == 1)
        #expect(try heroes.fetch().isEmpty)
    }

    @Test func `a reference is no object of an entity of optional attributes`() throws {
        let fixture = try StoreFixture(.numbered("Tag", .optional("name")))
        try fixture.insert("Tag", "[3]")
        #expect(try fixture.store.count(DynamicQuery("Tag")) == 0)
        #expect(try fixture.store.count(DynamicQuery("Tag").references()) == 1)
        #expect(try fixture.rows("SELECT id, name FROM Tag") == ["3|NULL"])
    }

    @Test func `defaults stand in no row that a reference made`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", "[1]")
        #expect(try comics.rows("SELECT isActive FROM Hero") == ["NULL"])
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        #expect(try comics.rows("SELECT isActive FROM Hero") == ["1"])
    }

    @Test(arguments: ["1", "\"a\""])
    func `an entity without a single identity can't be referred to`(_ json: String) throws {
        let comics = try Comics.fixture()
        #expect(
            comics.mappingError("Card", "[\(json)]")
                == MappingError(
                    entity: "Card", attribute: nil, path: "$[0]", reason: .notIdentifiable))
        let fixture = try StoreFixture(
            EntityDescription(name: "Note", identity: [], attributes: [.required("text")]))
        #expect(fixture.mappingError("Note", "[\(json)]")?.reason == .notIdentifiable)
    }

    @Test func `references by text and by UUID find their rows`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Device", identity: ["id"],
                attributes: [.required("id", .uuid), .required("name")]))
        let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        try fixture.insert("Device", #"{"id": "\#(id)", "name": "A"}"#)
        let version = try fixture.dataVersion
        try fixture.insert("Device", #"["\#(id.lowercased())"]"#)
        #expect(try fixture.dataVersion == version)
        #expect(try fixture.rows("SELECT id, name FROM Device") == ["\(id)|A"])
    }

    @Test func `references by a truth value find their rows`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Side", identity: ["isLeft"],
                attributes: [.required("isLeft", .boolean), .optional("note")]),
            .numbered(
                "Door",
                relationships: [
                    RelationshipDescription("side", to: "Side", isOptional: true, key: "side")
                ]))
        try fixture.insert("Side", #"{"isLeft": true, "note": "n"}"#)
        let doors = #"[{"id":1,"side":true},{"id":2,"side":false},{"id":3,"side":false}]"#
        try fixture.insert("Door", doors)
        #expect(
            try fixture.rows(#"SELECT isLeft, note, "$reference" FROM Side ORDER BY isLeft"#)
                == ["0|NULL|1", "1|n|NULL"])
        let json = try fixture.store.json(DynamicQuery("Door"), relationships: .identities)
        #expect(String(decoding: json, as: UTF8.self) == doors)
        #expect(try fixture.insert("Door", JSONDocument(json).root).total.changes == 0)
        #expect(fixture.mappingError("Side", "[1]")?.attribute == "isLeft")
    }

    // MARK: Completed later

    @Test func `a part may come before the whole in one document`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Hero",
            """
            [{"id": 1, "name": "A", "publisher": {"id": 5, "founded": "2001-01-01"}},
             {"id": 2, "name": "B", "publisher": {"id": 5, "name": "P"}}]
            """)
        #expect(report["Publisher"] == .init(1))
        #expect(try comics.rows("SELECT id, name, founded FROM Publisher") == ["5|P|0.0"])
    }

    @Test func `a part whose rest never comes is an error at its place`() throws {
        let comics = try Comics.fixture()
        let version = try comics.dataVersion
        #expect(
            comics.mappingError(
                "Hero",
                """
                [{"id": 1, "name": "A", "publisher": {"id": 5, "founded": "2001-01-01"}},
                 {"id": 2, "name": "B", "publisher": 5}]
                """)
                == MappingError(
                    entity: "Publisher", attribute: "name", path: "$[0].publisher",
                    reason: .unknownReference))
        #expect(try comics.rows("SELECT count(*) FROM Hero") == ["0"])
        #expect(try comics.dataVersion == version)
    }

    @Test func `a part can't fill a row that a reference of an earlier document made`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Publisher", "[5]")
        #expect(
            comics.mappingError("Publisher", #"{"id": 5, "founded": null}"#)
                == MappingError(
                    entity: "Publisher", attribute: "name", path: "$", reason: .missing))
    }

    @Test func `a child that only its owner's array knows is not complete by that`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Country",
                relationships: [
                    RelationshipDescription(
                        "cities", to: "City", isToMany: true, key: "cities", inverse: "country")
                ]),
            .numbered(
                "City",
                relationships: [
                    RelationshipDescription(
                        "country", to: "Country", key: "country", inverse: "cities"),
                    RelationshipDescription("mayor", to: "Person", key: "mayor"),
                ]),
            .numbered("Person"))
        try fixture.insert("Country", #"{"id": 1, "cities": [10]}"#)
        #expect(try fixture.rows("SELECT id, country, mayor FROM City") == ["10|1|NULL"])
        #expect(try fixture.store.count(DynamicQuery("City")) == 0)
        try fixture.insert("Country", #"{"id": 1, "cities": []}"#)
        #expect(try fixture.rows("SELECT id, country, mayor FROM City") == ["10|NULL|NULL"])
    }
}

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
