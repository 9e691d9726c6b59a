import Foundation
import Testing

@testable import LarderObjectStore

/// Upserts: identities, missing keys, nulls, what is required, and what is left alone.
struct MapperWriteTests {
    private static func entity(_ identity: [String], _ type: AttributeType) -> EntityDescription {
        EntityDescription(
            name: "Thing", identity: identity,
            attributes: [.required("id", type), .optional("name")])
    }

    // MARK: Identities

    @Test(arguments: [
        (AttributeType.integer, "7", "8"), (.string, "\"a\"", "\"b\""),
        (
            .uuid, "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\"",
            "\"00000000-0000-0000-0000-000000000000\""
        ),
        (.double, "1.5", "2.5"), (.date, "\"2001-01-01\"", "\"2001-01-02\""),
        (.url, "\"https://a.example\"", "\"https://b.example\""), (.decimal, "0.1", "\"0.2\""),
        (.boolean, "true", "false"), (.data, "\"AA==\"", "\"AQ==\""),
    ])
    func `upserts by one identity of any type`(
        _ type: AttributeType, _ one: String, _ other: String
    ) throws {
        let fixture = try StoreFixture(Self.entity(["id"], type))
        func insert(_ id: String, _ name: String) throws -> ImportReport.Counts {
            try fixture.insert("Thing", #"{"id": \#(id), "name": "\#(name)"}"#)["Thing"]
        }
        #expect(try insert(one, "A") == .init(1))
        #expect(try insert(other, "B") == .init(1))
        #expect(try insert(one, "A") == .init(0, 0, 1))
        #expect(try insert(one, "C") == .init(0, 1))
        #expect(try fixture.rows("SELECT name FROM Thing ORDER BY name") == ["B", "C"])
    }

    @Test func `upserts by several identities together`() throws {
        let comics = try Comics.fixture()
        let cards = """
            [{"suit": "hearts", "value": "1", "times_played": 3},
             {"suit": "hearts", "value": "2", "times_played": 1}]
            """
        #expect(try comics.insert("Card", cards)["Card"] == .init(2))
        let report = try comics.insert(
            "Card",
            """
            [{"suit": "hearts", "value": "1", "times_played": 4},
             {"suit": "spades", "value": "1"}, {"value": "2", "suit": "hearts"}]
            """)
        #expect(report["Card"] == .init(1, 1, 1))
        #expect(
            try comics.rows("SELECT suit, value, timesPlayed FROM Card ORDER BY suit, value")
                == ["hearts|1|4", "hearts|2|1", "spades|1|NULL"])
    }

    @Test func `an empty part of several identities is a value like any other`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Page", identity: ["path", "language"],
                attributes: [
                    .required("path"), .optional("language"), .optional("text"),
                ]))
        let json = """
            [{"path": "/", "text": "a"}, {"path": "/", "language": null, "text": "b"},
             {"path": "/", "language": "de", "text": "c"}, {"path": "/"}]
            """
        #expect(try fixture.insert("Page", json)["Page"] == .init(2))
        #expect(
            try fixture.rows("SELECT path, language, text FROM Page ORDER BY text")
                == ["/|NULL|b", "/|de|c"])
        #expect(
            try fixture.insert("Page", #"{"path": "/", "text": "b"}"#)["Page"] == .init(0, 0, 1))
        #expect(try fixture.insert("Page", #"{"path": "/", "text": "d"}"#)["Page"] == .init(0, 1))
        #expect(try fixture.rows("SELECT count(*) FROM Page") == ["2"])
    }

    @Test func `an object without its optional identity is a new one each time`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Draft", identity: ["id"],
                attributes: [.optional("id", .integer), .required("text")]))
        let json = #"[{"text": "a"}, {"id": null, "text": "a"}, {"id": 1, "text": "a"}]"#
        #expect(try fixture.insert("Draft", json)["Draft"] == .init(3))
        #expect(try fixture.insert("Draft", json)["Draft"] == .init(2, 0, 1))
        #expect(try fixture.rows("SELECT count(*), count(id) FROM Draft") == ["5|1"])
    }

    @Test func `an entity without identity makes a new object each time`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Note", identity: [],
                attributes: [
                    .required("text"),
                    AttributeDescription("stars", .integer, key: "stars", default: .integer(3)),
                ]))
        let json = #"[{"text": "a"}, {"text": "a", "stars": 1}, {"text": "a"}]"#
        #expect(try fixture.insert("Note", json)["Note"] == .init(3))
        #expect(try fixture.rows("SELECT text, stars FROM Note") == ["a|3", "a|1", "a|3"])
        #expect(
            fixture.mappingError("Note", #"[{"stars": 1}]"#)
                == MappingError(entity: "Note", attribute: "text", path: "$[0]", reason: .missing))
    }

    @Test(arguments: [
        "0", "-1", "9223372036854775807", "-9223372036854775808", "-9223372036854775807",
    ])
    func `takes every whole number of 64 bits as an identity`(_ id: String) throws {
        let fixture = try StoreFixture(Self.entity(["id"], .integer))
        #expect(
            try fixture.insert("Thing", #"{"id": \#(id), "name": "A"}"#)["Thing"] == .init(1))
        #expect(
            try fixture.insert("Thing", #"{"id": \#(id), "name": "A"}"#)["Thing"]
                == .init(0, 0, 1))
        #expect(
            try fixture.insert("Thing", #"{"id": \#(id), "name": "B"}"#)["Thing"] == .init(0, 1))
        #expect(try fixture.rows("SELECT id, name FROM Thing") == ["\(id)|B"])
    }

    @Test func `a missing identity is an error that names it, even where it has a default`() throws
    {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Thing", identity: ["id"],
                attributes: [
                    .required("alpha"),
                    AttributeDescription("id", .integer, key: "id", default: .integer(0)),
                ]))
        #expect(
            fixture.mappingError("Thing", #"{"alpha": "a"}"#)
                == MappingError(entity: "Thing", attribute: "id", path: "$", reason: .missing))
        #expect(
            fixture.mappingError("Thing", #"{"id": null, "alpha": "a"}"#)?.reason == .null)
    }

    // MARK: Values

    @Test func `a missing key leaves the value, null clears it`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Hero", #"{"id": 1, "name": "A", "strength": 2, "identity": {"real_name": "R"}}"#)
        try comics.insert("Hero", #"{"id": 1, "name": "B"}"#)
        #expect(
            try comics.rows("SELECT name, realName, strength FROM Hero") == ["B|R|2.0"])
        try comics.insert("Hero", #"{"id": 1, "strength": null}"#)
        #expect(
            try comics.rows("SELECT name, realName, strength FROM Hero") == ["B|R|NULL"])
    }

    @Test func `a default stands for a missing key on insert only`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "A", "active": false}"#)
        try comics.insert("Hero", #"[{"id": 1, "name": "B"}, {"id": 2, "name": "C"}]"#)
        #expect(
            try comics.rows("SELECT name, isActive FROM Hero ORDER BY id") == ["B|0", "C|1"])
        #expect(
            comics.mappingError("Hero", #"{"id": 1, "active": null}"#)
                == MappingError(
                    entity: "Hero", attribute: "isActive", path: "$.active", reason: .null))
    }

    @Test func `what is required may be missing where the row has it`() throws {
        let comics = try Comics.fixture()
        #expect(
            comics.mappingError("Hero", #"[{"id": 1, "strength": 2}]"#)
                == MappingError(entity: "Hero", attribute: "name", path: "$[0]", reason: .missing))
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        #expect(
            try comics.insert("Hero", #"[{"id": 1, "strength": 2}]"#)["Hero"] == .init(0, 1))
        #expect(
            try comics.insert("Hero", #"[{"id": 1, "strength": 2}]"#)["Hero"] == .init(0, 0, 1))
        #expect(try comics.insert("Hero", #"[{"id": 1}]"#)["Hero"] == .init(0, 0, 1))
        #expect(try comics.rows("SELECT id, name, strength FROM Hero") == ["1|A|2.0"])
    }

    @Test func `a required attribute can't be cleared`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        #expect(
            comics.mappingError("Hero", #"[{"id": 1, "name": null}]"#)
                == MappingError(
                    entity: "Hero", attribute: "name", path: "$[0].name", reason: .null))
        #expect(try comics.rows("SELECT name FROM Hero") == ["A"])
    }

    @Test func `keeps text of every kind as it is`() throws {
        let comics = try Comics.fixture()
        let names = ["", "'; DROP TABLE Hero;--", "äöü 🦸‍♀️", "tab\tnewline\n", "\"", "a\u{0}b"]
        for (id, name) in names.enumerated() {
            let json = try JSONEncoder().encode(["name": name])
            let text = String(decoding: json.dropFirst(), as: UTF8.self)
            try comics.insert("Hero", #"{"id": \#(id), \#(text)"#)
        }
        #expect(try comics.store.fetch(Hero.all).map(\.name) == names)
    }

    // MARK: Nothing to write

    @Test func `nothing is written where nothing changed`() throws {
        let comics = try Comics.fixture()
        let json = """
            [{"id": 1, "name": "A", "strength": 1.25, "identity": {"real_name": "R\\u00e9"},
              "publisher": {"id": 5, "name": "P", "founded": "1934-01-01T00:00:00Z"},
              "mentor": 2, "powers": [{"id": "x", "name": "X"}, {"id": "y", "name": "Y"}]},
             {"id": 2, "name": "B", "active": false, "mentor": null, "powers": []}]
            """
        try comics.insert("Hero", json)
        let version = try comics.dataVersion
        let size = try comics.logSize
        let report = try comics.insert("Hero", json)
        #expect(try comics.dataVersion == version)
        #expect(try comics.logSize == size)
        #expect(report["Hero"] == .init(0, 0, 2))
        #expect(report["Publisher"] == .init(0, 0, 1))
        #expect(report["Power"] == .init(0, 0, 2))
        #expect(report.total == .init(0, 0, 5))
    }

    @Test func `one bad object in a thousand leaves everything as it was`() throws {
        let comics = try Comics.fixture()
        func heroes(_ bad: Int?) -> String {
            let objects = (0..<1000).map { id in
                // One more follows the first.
                id == bad || id == bad.map { $0 + 1 }
                    ? #"{"id": \#(id), "name": 5}"#
                    : #"{"id": \#(id), "name": "hero \#(id)", "publisher": {"id": \#(id % 7), "name": "\#(bad ?? 0)"}, "powers": [\#(id % 5)]}"#
            }
            return "[\(objects.joined(separator: ","))]"
        }
        try comics.insert("Hero", heroes(nil))
        let before = try [
            "SELECT * FROM Hero", "SELECT * FROM Publisher", "SELECT * FROM Power",
            "SELECT * FROM \"Hero.powers\"",
        ].flatMap(comics.rows)
        let version = try comics.dataVersion
        let error = comics.mappingError("Hero", heroes(998))
        #expect(
            error
                == MappingError(
                    entity: "Hero", attribute: "name", path: "$[998].name",
                    reason: .unexpectedValue(expected: "a string", found: "5")))
        let after = try [
            "SELECT * FROM Hero", "SELECT * FROM Publisher", "SELECT * FROM Power",
            "SELECT * FROM \"Hero.powers\"",
        ].flatMap(comics.rows)
        #expect(after == before)
        #expect(try comics.dataVersion == version)
    }

    @Test func `a caught error leaves nothing of its value in the transaction`() throws {
        let comics = try Comics.fixture()
        let good = try JSONDocument(#"[{"id": 1, "name": "A", "powers": [1]}]"#).root
        let bad = try JSONDocument(#"[{"id": 1, "name": "B", "powers": [2]}, {"id": 2}]"#).root
        let report = try comics.store.write { context in
            try context.import(Many<Hero>.self, from: good)
            #expect(throws: MappingError.self) { try context.import(Many<Hero>.self, from: bad) }
            try context.import(Many<Hero>.self, from: good)
            return context.report
        }
        #expect(try comics.rows("SELECT id, name FROM Hero") == ["1|A"])
        #expect(try comics.rows("SELECT id FROM Power") == ["1"])
        #expect(report["Hero"] == .init(1, 0, 1, linked: 1))
    }

    // MARK: Wide entities

    @Test(arguments: [2, 63, 64, 65, 126, 127])
    func `writes as many columns as there are`(_ count: Int) throws {
        let names = (1..<count).map { "a\($0)" }
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Wide", identity: ["id"],
                attributes: [.required("id", .integer)] + names.map { .optional($0, .integer) }))
        func json(_ offset: Int) -> String {
            let members = names.enumerated().map { #""\#($1)": \#($0 + offset)"# }
            return #"{"id": 1, \#(members.joined(separator: ","))}"#
        }
        let row = { (offset: Int) in
            ([1] + (0..<count - 1).map { $0 + offset }).map(String.init).joined(separator: "|")
        }
        #expect(try fixture.insert("Wide", json(0))["Wide"] == .init(1))
        #expect(
            try fixture.rows("SELECT id, \(names.joined(separator: ", ")) FROM Wide") == [row(0)])
        #expect(try fixture.insert("Wide", json(0))["Wide"] == .init(0, 0, 1))
        #expect(try fixture.insert("Wide", json(7))["Wide"] == .init(0, 1))
        #expect(
            try fixture.rows("SELECT id, \(names.joined(separator: ", ")) FROM Wide") == [row(7)])
        #expect(
            try fixture.insert("Wide", #"{"id": 1, "a\#(count - 1)": -5}"#)["Wide"] == .init(0, 1))
        #expect(try fixture.rows("SELECT a\(count - 1) FROM Wide") == ["-5"])
    }
}
