import Testing

@testable import LarderObjectStore

/// Objects, to-one relationships and what comes again in one document.
struct MapperTests {
    // MARK: A graph

    @Test func `maps a nested object graph`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Hero",
            """
            {"id": 1699, "name": "Batman", "identity": {"real_name": "Bruce Wayne"},
             "strength": 4.5, "active": true, "publisher": {"id": 10, "name": "DC Comics"},
             "powers": [{"id": 4, "name": "Agility"}, null, {"id": "9", "name": "Insanely Rich"}]}
            """)
        #expect(
            try comics.rows("SELECT id, name, realName, strength, isActive, publisher FROM Hero")
                == ["1699|Batman|Bruce Wayne|4.5|1|10"])
        #expect(try comics.rows("SELECT id, name FROM Publisher") == ["10|DC Comics"])
        #expect(
            try comics.rows("SELECT id, name FROM Power ORDER BY id")
                == ["4|Agility", "9|Insanely Rich"])
        #expect(report["Hero"] == .init(1, linked: 2))
        #expect(report["Publisher"] == .init(1))
        #expect(report["Power"] == .init(2))
    }

    @Test func `merges a partial update and an object shared by two owners`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Hero",
            """
            [{"id": 1, "name": "Batman", "strength": 1, "powers": [{"id": 4, "name": "Agility"}],
              "publisher": {"id": 10, "name": "DC"}},
             {"id": 2, "name": "Superman", "publisher": 10}]
            """)
        let report = try comics.insert(
            "Hero",
            """
            [{"id": 1, "strength": 2},
             {"id": 2, "powers": [{"id": 4, "name": "Agile"}, {"id": 5, "name": "Flight"}]}]
            """)
        #expect(
            try comics.rows("SELECT id, name, strength, publisher FROM Hero ORDER BY id")
                == ["1|Batman|2.0|10", "2|Superman|NULL|10"])
        #expect(
            try comics.rows("SELECT id, name FROM Power ORDER BY id") == ["4|Agile", "5|Flight"])
        #expect(report["Hero"] == .init(0, 1, 1, linked: 2))
        #expect(report["Power"] == .init(1, 1))
        #expect(report["Publisher"] == .init())
    }

    @Test func `nests to any depth`() throws {
        let comics = try Comics.fixture()
        var json = #"{"id": 0, "name": "hero 0"}"#
        for id in 1...400 { json = #"{"id": \#(id), "name": "hero \#(id)", "mentor": \#(json)}"# }
        let report = try comics.insert("Hero", json)
        #expect(report["Hero"] == .init(401))
        #expect(
            try comics.rows("SELECT count(*), sum(mentor), min(name) FROM Hero")
                == ["401|79800|hero 0"])
    }

    @Test func `goes through cycles`() throws {
        let comics = try Comics.fixture()
        let json = """
            {"id": 1, "name": "Yin", "mentor": {"id": 2, "name": "Yang",
             "mentor": {"id": 1, "name": "Yin"}}}
            """
        #expect(try comics.insert("Hero", json)["Hero"] == .init(2))
        #expect(try comics.rows("SELECT id, mentor FROM Hero ORDER BY id") == ["1|2", "2|1"])
        #expect(try comics.insert("Hero", json)["Hero"] == .init(0, 0, 2))
    }

    @Test func `takes a part of an object inside the whole of it`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Hero",
            #"{"id": 1, "mentor": {"id": 2, "name": "B", "mentor": {"id": 1}}, "name": "A"}"#)
        #expect(report["Hero"] == .init(2))
        #expect(
            try comics.rows("SELECT id, name, mentor FROM Hero ORDER BY id") == ["1|A|2", "2|B|1"])
    }

    @Test func `an object may be its own`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "Self", "mentor": 1}"#)
        #expect(try comics.rows("SELECT id, name, mentor FROM Hero") == ["1|Self|1"])
    }

    // MARK: To-one

    @Test func `null clears a to-one relationship and a missing key leaves it`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"}}"#)
        #expect(
            try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)["Hero"] == .init(0, 0, 1))
        #expect(try comics.rows("SELECT publisher FROM Hero") == ["5"])
        #expect(
            try comics.insert("Hero", #"{"id": 1, "publisher": null}"#)["Hero"] == .init(0, 1))
        #expect(try comics.rows("SELECT publisher FROM Hero") == ["NULL"])
        #expect(try comics.rows("SELECT count(*) FROM Publisher") == ["1"])
    }

    @Test func `a required to-one relationship must be there`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "City",
                relationships: [RelationshipDescription("country", to: "Country", key: "country")]),
            .numbered("Country", .required("name")))
        #expect(
            fixture.mappingError("City", #"{"id": 1}"#)
                == MappingError(entity: "City", attribute: "country", path: "$", reason: .missing))
        #expect(
            fixture.mappingError("City", #"{"id": 1, "country": null}"#)
                == MappingError(
                    entity: "City", attribute: "country", path: "$.country", reason: .null))
        try fixture.insert("City", #"{"id": 1, "country": 7}"#)
        #expect(try fixture.rows("SELECT id, country FROM City") == ["1|7"])
    }

    @Test(arguments: [("[]", "an array"), ("true", "true"), ("false", "false")])
    func `refuses what is no object and no identity`(_ json: String, _ found: String) throws {
        let comics = try Comics.fixture()
        let error = comics.mappingError("Hero", #"{"id": 1, "name": "A", "publisher": \#(json)}"#)
        #expect(error?.path == "$.publisher")
        #expect(
            error?.reason
                == .unexpectedValue(expected: "an object or an identity", found: found))
        #expect(try comics.rows("SELECT count(*) FROM Hero") == ["0"])
    }

    @Test func `refuses a reference of the wrong type`() throws {
        let comics = try Comics.fixture()
        #expect(
            comics.mappingError("Hero", #"[{"id": 1, "name": "A", "publisher": "ten"}]"#)
                == MappingError(
                    entity: "Publisher", attribute: "id", path: "$[0].publisher",
                    reason: .unexpectedValue(
                        expected: "a whole number of at most 64 bits", found: "\"ten\"")))
    }

    // MARK: Payloads

    @Test func `skips null elements and takes an object that stands in an array twice as one`()
        throws
    {
        let comics = try Comics.fixture()
        let root = try JSONDocument(
            #"[null, {"id": 2, "name": "B"}, {"id": 1, "name": "A"}, null, {"id": 2, "name": "B"}]"#
        ).root
        let (rows, report) = try comics.store.write { context in
            (try context.mapElements(of: root, as: "Hero"), context.report)
        }
        #expect(rows == [2, 1])
        #expect(report["Hero"] == .init(2))
    }

    @Test func `an empty array does nothing`() throws {
        let comics = try Comics.fixture()
        let version = try comics.dataVersion
        #expect(try comics.insert("Hero", "[]") == ImportReport())
        #expect(try comics.dataVersion == version)
    }

    @Test func `a payload of which nothing is mapped is an error that lists its keys`() throws {
        let comics = try Comics.fixture()
        let error = comics.mappingError("Hero", #"[{"ID": 1, "Name": "A", "a\u0022b": {}}]"#)
        #expect(
            error
                == MappingError(
                    entity: "Hero", attribute: nil, path: "$[0]",
                    reason: .nothingMapped(keys: ["ID", "Name", "a\"b"])))
        #expect(error.map(String.init(describing:))?.contains("ID, Name, a\"b") == true)
        #expect(comics.mappingError("Hero", "{}")?.reason == .nothingMapped(keys: []))
    }

    @Test func `of which nothing is mapped is an error also inside an owner's array`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "List",
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, key: "items", inverse: "list")
                ]),
            EntityDescription(
                name: "Item", identity: [], attributes: [.optional("text")],
                relationships: [
                    RelationshipDescription(
                        "list", to: "List", isOptional: true, key: "list", inverse: "items")
                ]))
        #expect(
            fixture.mappingError("List", #"{"id": 1, "items": [{"txt": "a"}]}"#)?.reason
                == .nothingMapped(keys: ["txt"]))
    }

    // MARK: Objects that come again

    @Test func `an object that comes again in the same words counts once`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Hero",
            """
            [{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"}},
             {"id": 2, "name": "B", "publisher": {"id": 5, "name": "P"}},
             {"id": 3, "name": "C", "publisher": {"id": 5, "name": "P"}}]
            """)
        #expect(report["Publisher"] == .init(1))
        #expect(report["Hero"] == .init(3))
    }

    @Test func `the last of different versions stays`() throws {
        let comics = try Comics.fixture()
        let json = """
            [{"id": 1, "name": "A", "publisher": {"id": 5, "name": "Old"}},
             {"id": 2, "name": "B", "publisher": {"id": 5, "name": "New"}},
             {"id": 3, "name": "C", "publisher": {"id": 5, "name": "Old"}}]
            """
        #expect(try comics.insert("Hero", json)["Publisher"] == .init(1))
        #expect(try comics.rows("SELECT name FROM Publisher") == ["Old"])
        #expect(try comics.insert("Hero", json)["Publisher"] == .init(0, 1))
        #expect(try comics.rows("SELECT name FROM Publisher") == ["Old"])
    }

    @Test func `the same words are written again where another place has changed the object`()
        throws
    {
        let comics = try Comics.fixture()
        // Hero 7 is taken away from publisher 1 between the two times that it is given to it.
        try comics.insert(
            "Publisher",
            """
            [{"id": 1, "name": "P", "heroes": [{"id": 7, "name": "A", "publisher": 1}]},
             {"id": 2, "name": "Q", "heroes": [7]},
             {"id": 1, "name": "P", "heroes": [{"id": 7, "name": "A", "publisher": 1}]}]
            """)
        #expect(try comics.rows("SELECT id, publisher FROM Hero") == ["7|1"])
        try comics.insert(
            "Hero",
            """
            [{"id": 7, "name": "A", "publisher": 1},
             {"id": 8, "name": "B", "publisher": {"id": 1, "heroes": []}},
             {"id": 7, "name": "A", "publisher": 1}]
            """)
        #expect(
            try comics.rows("SELECT id, publisher FROM Hero ORDER BY id") == ["7|1", "8|1"])
    }

    @Test func `what stands inside an object that comes again is written again`() throws {
        let comics = try Comics.fixture()
        let hero = #"{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"}}"#
        try comics.insert(
            "Hero",
            #"[\#(hero), {"id": 2, "name": "B", "publisher": {"id": 5, "name": "Q"}}, \#(hero)]"#)
        #expect(try comics.rows("SELECT name FROM Publisher") == ["P"])
    }

    @Test func `one identity spelled in several ways is one object`() throws {
        let comics = try Comics.fixture()
        let report = try comics.insert(
            "Power",
            #"[{"id": 42, "name": "A"}, {"id": "42", "name": "A"}, {"id": "4\u0032", "name": "A"}]"#
        )
        #expect(report["Power"] == .init(1))
        #expect(try comics.rows("SELECT id, name FROM Power") == ["42|A"])

        let numbers = try StoreFixture(.numbered("Thing", .required("name")))
        let again = try numbers.insert(
            "Thing",
            #"[{"id": 100, "name": "A"}, {"id": 1e2, "name": "A"}, {"id": 100.0, "name": "B"}]"#)
        #expect(again["Thing"] == .init(1))
        #expect(try numbers.rows("SELECT id, name FROM Thing") == ["100|B"])
    }

    @Test func `an entity mapped from several places of a document counts each object once`()
        throws
    {
        let comics = try Comics.fixture()
        let root = try JSONDocument(
            #"{"first": {"id": 1, "name": "A"}, "second": [{"id": 1, "name": "A"}]}"#
        ).root
        let report = try comics.store.write { context in
            try context.imports.parts {
                for key in ["first", "second"] {
                    let value = try #require(root[key])
                    _ =
                        key == "first"
                        ? [try context.map(value, as: "Hero")]
                        : try context.mapElements(of: value, as: "Hero")
                }
            }
            return context.report
        }
        #expect(report["Hero"] == .init(1))
    }
}
