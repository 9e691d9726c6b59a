import Foundation
import Testing

@testable import LarderObjectStore

/// How an object's members find their fields: key paths, order, duplicates, escapes, aliases.
struct MapperFramesTests {
    private static func people() throws -> StoreFixture {
        try StoreFixture(
            EntityDescription(
                name: "Person", identity: ["id"],
                attributes: [
                    AttributeDescription("id", .integer, key: "id"),
                    AttributeDescription("name", .string, isOptional: true, key: "real.name.full"),
                    AttributeDescription(
                        "first", .string, isOptional: true, key: "real.name.first"),
                    AttributeDescription("age", .integer, isOptional: true, key: "real.age"),
                    AttributeDescription("note", .string, isOptional: true, key: nil),
                ]))
    }

    private static let row = "SELECT id, name, first, age, note FROM Person"

    @Test func `follows key paths through objects`() throws {
        let fixture = try Self.people()
        try fixture.insert(
            "Person",
            """
            {"real": {"age": 9, "x": [], "name": {"first": "A", "full": "A B"}}, "id": 1,
             "note": "not mapped", "real.age": 4}
            """)
        #expect(try fixture.rows(Self.row) == ["1|A B|A|9|NULL"])
    }

    @Test(arguments: [
        "{}", #"{"real": null}"#, #"{"real": {}}"#, #"{"real": {"name": null}}"#,
        #"{"real": {"name": {}}}"#, #"{"real": {"Name": {"full": "C"}}}"#,
    ])
    func `a null or absent step is a missing key`(_ json: String) throws {
        let fixture = try Self.people()
        try fixture.insert(
            "Person", #"{"id": 1, "real": {"age": 9, "name": {"first": "A", "full": "B"}}}"#)
        let version = try fixture.dataVersion
        let members = json == "{}" ? "" : ", " + json.dropFirst().dropLast()
        #expect(try fixture.insert("Person", #"{"id": 1\#(members)}"#)["Person"] == .init(0, 0, 1))
        #expect(try fixture.dataVersion == version)
    }

    @Test func `null at the end of a key path clears the value`() throws {
        let fixture = try Self.people()
        try fixture.insert("Person", #"{"id": 1, "real": {"age": 9, "name": {"full": "B"}}}"#)
        try fixture.insert("Person", #"{"id": 1, "real": {"name": {"full": null}}}"#)
        #expect(try fixture.rows(Self.row) == ["1|NULL|NULL|9|NULL"])
    }

    @Test(arguments: [
        (#"{"id": 1, "real": []}"#, "$.real", "an array", "name"),
        (#"{"id": 1, "real": {"name": [{"full": "A"}]}}"#, "$.real.name", "an array", "name"),
        (#"{"id": 1, "real": 5}"#, "$.real", "a single value", "name"),
        (#"{"id": 1, "real": {"name": "A"}}"#, "$.real.name", "a single value", "name"),
    ])
    func `a step that is no object is an error`(
        _ json: String, _ path: String, _ found: String, _ attribute: String
    ) throws {
        let fixture = try Self.people()
        #expect(
            fixture.mappingError("Person", json)
                == MappingError(
                    entity: "Person", attribute: attribute, path: path,
                    reason: .unexpectedValue(
                        expected: "an object on the way to a key path", found: found)))
    }

    @Test func `a reference where a key path leads on says nothing of what is behind it`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Issue", identity: ["id"],
                attributes: [
                    .required("id", .integer),
                    AttributeDescription("login", .string, isOptional: true, key: "user.login"),
                ],
                relationships: [
                    RelationshipDescription("user", to: "User", isOptional: true, key: "user")
                ]),
            .numbered("User", .required("login")))
        try fixture.insert("Issue", #"{"id": 1, "user": {"id": 7, "login": "ann"}}"#)
        try fixture.insert("Issue", #"[{"id": 1, "user": 8}, {"id": 2, "user": 7}]"#)
        #expect(
            try fixture.rows("SELECT id, login, user FROM Issue ORDER BY id")
                == ["1|ann|8", "2|NULL|7"])
        #expect(fixture.mappingError("Issue", #"{"id": 1, "user": []}"#)?.path == "$.user")
    }

    @Test func `of duplicate keys the last one counts`() throws {
        let fixture = try Self.people()
        try fixture.insert("Person", #"{"id": 7, "id": 1, "real": {"age": 1, "age": 2}}"#)
        #expect(try fixture.rows(Self.row) == ["1|NULL|NULL|2|NULL"])
        try fixture.insert(
            "Person", #"{"id": 2, "real": {"age": 1, "name": {"full": "A"}}, "real": {"age": 3}}"#)
        #expect(try fixture.rows(Self.row + " WHERE id = 2") == ["2|NULL|NULL|3|NULL"])
        try fixture.insert("Person", #"{"id": 3, "real": {"age": 1}, "real": null}"#)
        #expect(try fixture.rows(Self.row + " WHERE id = 3") == ["3|NULL|NULL|NULL|NULL"])
        // One that no key path can go through is no error, unless it is the last.
        try fixture.insert("Person", #"{"id": 4, "real": 5, "real": [], "real": {"age": 6}}"#)
        try fixture.insert(
            "Person", #"{"id": 5, "real": {"name": 1, "age": 7, "name": {"full": "B"}}}"#)
        try fixture.insert("Person", #"{"id": 6, "real": {"name": 1}, "re\u0061l": {"age": 8}}"#)
        #expect(
            try fixture.rows("SELECT id, age FROM Person WHERE id > 3 ORDER BY id")
                == ["4|6", "5|7", "6|8"])
        let error = fixture.mappingError("Person", #"{"id": 7, "real": {"age": 1}, "real": 5}"#)
        #expect(error?.path == "$.real")
    }

    @Test func `finds keys whose letters are escaped`() throws {
        let fixture = try Self.people()
        try fixture.insert(
            "Person",
            #"[{"\u0069d": 1, "re\u0061l": {"\u0061ge": 3}}, {"id": 2, "real": {"age": 4}}]"#)
        #expect(
            try fixture.rows(Self.row + " ORDER BY id") == [
                "1|NULL|NULL|3|NULL", "2|NULL|NULL|4|NULL",
            ])
    }

    @Test func `finds keys in any order, with unknown ones between`() throws {
        let names = (0..<90).map { "key\($0)" }
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Wide", identity: ["id"],
                attributes: [.required("id", .integer)] + names.map { .optional($0, .integer) }))
        var generator = SplitMix64(seed: 1)
        var objects: [String] = []
        var expected: [String] = []
        for id in 0..<60 {
            var values = [Int?](repeating: nil, count: names.count)
            var members = [#""id": \#(id)"#]
            for (index, name) in names.enumerated() where Bool.random(using: &generator) {
                values[index] = Int.random(in: 0..<1000, using: &generator)
                members.append(#""\#(name)": \#(values[index] ?? 0)"#)
                if Bool.random(using: &generator) { members.append(#""x\#(name)": {"id": [1]}"#) }
            }
            // Runs of one shape between the shuffled ones, as in real responses.
            if id % 3 == 0 { members.shuffle(using: &generator) }
            objects.append("{\(members.joined(separator: ", "))}")
            expected.append(
                ([String(id)] + values.map { $0.map(String.init) ?? "NULL" }).joined(separator: "|")
            )
        }
        try fixture.insert("Wide", "[\(objects.joined(separator: ","))]")
        let columns = names.joined(separator: ", ")
        #expect(try fixture.rows("SELECT id, \(columns) FROM Wide ORDER BY id") == expected)
    }

    @Test func `two attributes may read one key`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Event", identity: ["id"],
                attributes: [
                    AttributeDescription("id", .string, key: "at"),
                    AttributeDescription("day", .string, key: "at"),
                    AttributeDescription("raw", .string, key: "at"),
                    AttributeDescription("kind", .string, isOptional: true, key: "info.kind"),
                    AttributeDescription("kindAgain", .string, isOptional: true, key: "info.kind"),
                    AttributeDescription("info", .json, isOptional: true, key: "info"),
                ]))
        try fixture.insert("Event", #"{"at": "2001-01-02", "info": {"kind": "k"}}"#)
        #expect(
            try fixture.rows("SELECT id, day, raw, kind, kindAgain, info FROM Event")
                == [#"2001-01-02|2001-01-02|2001-01-02|k|k|{"kind":"k"}"#])
    }

    @Test func `keys that only begin or end alike are different`() throws {
        let fixture = try StoreFixture(
            .numbered("Thing", .optional("a"), .optional("ab"), .optional("b"), .optional("ä")))
        try fixture.insert(
            "Thing",
            #"[{"id": 1, "ab": "1", "a": "2", "ä": "3"}, {"id": 2, "a": "4", "ab": "5", "": "6", "b": "7"}]"#
        )
        #expect(
            try fixture.rows("SELECT id, a, ab, b, ä FROM Thing ORDER BY id")
                == ["1|2|1|NULL|3", "2|4|5|7|NULL"])
    }

    @Test func `objects of one entity inside each other keep their fields apart`() throws {
        let comics = try Comics.fixture()
        try comics.insert(
            "Hero",
            """
            {"name": "A", "mentor": {"strength": 2, "id": 2, "identity": {"real_name": "R"},
             "name": "B"}, "id": 1}
            """)
        #expect(
            try comics.rows("SELECT id, name, strength, realName, mentor FROM Hero ORDER BY id")
                == ["1|A|NULL|NULL|2", "2|B|2.0|R|NULL"])
    }

    @Test func `goes as deep as a document may`() throws {
        let comics = try Comics.fixture()
        let depth = JSONDocument.defaultDepthLimit - 1
        var json = #"{"id": 0, "name": "hero"}"#
        for id in 1...depth { json = #"{"id": \#(id), "name": "hero", "mentor": \#(json)}"# }
        #expect(try comics.insert("Hero", json)["Hero"] == .init(depth + 1))
        var unmapped = "[]"
        for _ in 1..<depth { unmapped = "[\(unmapped)]" }
        #expect(
            try comics.insert("Hero", #"{"id": 1, "x": \#(unmapped)}"#)["Hero"] == .init(0, 0, 1))
    }
}
