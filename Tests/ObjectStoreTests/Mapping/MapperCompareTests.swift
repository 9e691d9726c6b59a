import Foundation
import Testing

@testable import LarderObjectStore

/// Objects that come again: what is the same is not written, what differs is.
struct MapperCompareTests {
    private static func things() throws -> StoreFixture {
        try StoreFixture(
            .numbered(
                "Thing", .optional("text"), .optional("whole", .integer),
                .optional("real", .double), .optional("truth", .boolean),
                .optional("date", .date, .iso8601), .optional("url", .url),
                .optional("json", .json), .optional("bytes", .data, .base64),
                .optional("digits", .integer, .number),
                relationships: [
                    RelationshipDescription("next", to: "Thing", isOptional: true, key: "next")
                ]))
    }

    @Test(arguments: [
        #""text": "plain""#, #""text": "a\n\"b\" \u00e9\ud83d\ude00""#, #""text": """#,
        #""text": null"#, #""whole": 0"#, #""whole": -9223372036854775808"#, #""whole": 1e3"#,
        #""real": 0"#, #""real": -0.0"#, #""real": 69.89944337295712"#, #""real": 1e300"#,
        #""truth": true"#, #""truth": false"#, #""date": "2026-11-21T10:00:00Z""#,
        #""url": "https://example.com/\u00e9?a=b""#, #""json": {"a": [1, 2]}"#,
        #""bytes": "AAEC""#, #""digits": "12""#, #""next": null"#, #""next": 1"#,
        #""next": {"id": 1}"#,
        #""next": 5"#,
    ])
    func `an object that is stored as it comes writes nothing`(_ member: String) throws {
        let fixture = try Self.things()
        let json = #"[{"id": 1, \#(member)}]"#
        try fixture.insert("Thing", json)
        let version = try fixture.dataVersion
        let report = try fixture.insert("Thing", json)
        #expect(report["Thing"].inserted == 0 && report["Thing"].updated == 0)
        #expect(report["Thing"].unchanged >= 1)
        #expect(try fixture.dataVersion == version)
    }

    @Test(arguments: [MapperShortcuts.all, []])
    func `two spellings of one character are two texts`(_ shortcuts: MapperShortcuts) throws {
        var configuration = Store.Configuration()
        configuration.shortcuts = shortcuts
        let thing = EntityDescription.numbered(
            "Thing", .optional("plain"), .optional("loose", .string, .string),
            .optional("json", .json), .optional("url", .url))
        let store = try Store.inMemory(
            model: Model(name: "Test", entities: [thing]), configuration: configuration)
        func insert(_ text: String) throws -> ImportReport.Counts {
            let members = ["plain", "loose", "json"].map { #""\#($0)": "\#(text)""# }
            let json = Data(#"{"id": 1, \#(members.joined(separator: ", "))}"#.utf8)
            return try store.write { context in
                try context.import("Thing", from: json)
                return context.report.total
            }
        }
        for (text, length) in [("caf\u{e9}", 4), ("cafe\u{301}", 5)] {
            let counts = try insert(text)
            #expect(counts.inserted + counts.updated == 1)
            let lengths = try store.rows(
                "SELECT length(plain) AS p, length(loose) AS l, length(json) AS j FROM Thing")
            #expect(try lengths.map { try $0.value("p", as: Int.self) } == [length])
            #expect(try lengths.map { try $0.value("l", as: Int.self) } == [length])
            #expect(try lengths.map { try $0.value("j", as: Int.self) } == [length + 2])
            #expect(try insert(text).unchanged == 1)
        }
    }

    @Test(arguments: [
        ("text", #""a""#, #""b""#), ("text", #""a""#, #""ab""#), ("text", #""""#, "null"),
        ("text", "null", #""""#), ("text", #""a\n""#, #""a\t""#), ("whole", "0", "null"),
        ("whole", "null", "0"), ("whole", "1", "2"), ("real", "0", "null"), ("real", "null", "0.0"),
        ("real", "0.1", "0.2"), ("truth", "false", "null"), ("truth", "false", "true"),
        ("truth", "null", "false"), ("date", #""2001-01-01T00:00:00Z""#, "null"),
        ("date", "null", #""2001-01-01T00:00:00Z""#), ("json", #"{"a": 1}"#, #"{"a": 2}"#),
        ("digits", #""1""#, "2"), ("next", "1", "null"), ("next", "null", "1"), ("next", "1", "2"),
    ])
    func `an object that differs in one value is updated`(
        _ key: String, _ before: String, _ after: String
    ) throws {
        let fixture = try Self.things()
        let select = "SELECT \(key) FROM Thing WHERE id = 3"
        try fixture.insert("Thing", #"[{"id": 1}, {"id": 2}, {"id": 3, "\#(key)": \#(before)}]"#)
        let old = try fixture.rows(select)
        let report = try fixture.insert(
            "Thing", #"[{"id": 1}, {"id": 2}, {"id": 3, "\#(key)": \#(after)}]"#)
        #expect(report["Thing"].updated == 1)
        #expect(try fixture.rows(select) != old)
        try fixture.insert("Thing", #"[{"id": 3, "\#(key)": \#(before)}]"#)
        #expect(try fixture.rows(select) == old)
    }

    @Test func `the same object with other values twice in one document is as it came last`() throws
    {
        let fixture = try Self.things()
        try fixture.insert("Thing", #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#)
        let report = try fixture.insert(
            "Thing",
            #"[{"id": 1, "text": "a"}, {"id": 1, "text": "x"}, {"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#
        )
        #expect(report["Thing"] == .init(0, 1, 1))
        #expect(try fixture.rows("SELECT id, text FROM Thing") == ["1|a", "2|b"])
        // The row of 2 was read ahead before it was written by way of 1.
        try fixture.insert(
            "Thing", #"[{"id": 1, "next": {"id": 2, "text": "y"}}, {"id": 2, "text": "b"}]"#)
        #expect(try fixture.rows("SELECT id, text FROM Thing") == ["1|a", "2|b"])
    }

    @Test func `rows that another transaction wrote in between are read anew`() throws {
        let fixture = try Self.things()
        let json = #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}, {"id": 3, "text": "c"}]"#
        try fixture.insert("Thing", json)
        try fixture.insert("Thing", #"[{"id": 1, "text": "a"}]"#)
        try fixture.insert("Thing", #"[{"id": 2, "text": "x"}]"#)
        #expect(try fixture.insert("Thing", json)["Thing"] == .init(0, 1, 2))
        #expect(try fixture.rows("SELECT text FROM Thing") == ["a", "b", "c"])
    }

    @Test func `a value that does not fit is refused though its object is stored`() throws {
        let fixture = try Self.things()
        try fixture.insert("Thing", #"[{"id": 1, "whole": 1}]"#)
        for value in [#""1""#, "1.5", "true", "[]", "92233720368547758080"] {
            let error = fixture.mappingError("Thing", #"[{"id": 1, "whole": \#(value)}]"#)
            #expect(error?.attribute == "whole")
            #expect(error?.path == "$[0].whole")
        }
        #expect(try fixture.rows("SELECT whole FROM Thing") == ["1"])
    }
}
