import Foundation
import Testing

@testable import LarderObjectStore

/// Identities that are empty, or partly, after all, or JSON.
struct MapperIdentityTests {
    @Test func `an optional part of an identity that has a default`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["box", "slot"],
                attributes: [
                    AttributeDescription("box", .integer, key: "box"),
                    AttributeDescription(
                        "slot", .string, isOptional: true, key: "slot", default: .string("top")),
                    .optional("name"),
                ]))
        for name in ["a", "b", "b"] {
            do {
                try fixture.insert("Part", #"{"box": 1, "name": "\#(name)"}"#)
            } catch { Issue.record(error) }
        }
        #expect(try fixture.rows("SELECT box, slot, name FROM Part") == ["1|NULL|b"])
    }

    @Test func `an optional identity that has a default`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["slot"],
                attributes: [
                    AttributeDescription(
                        "slot", .string, isOptional: true, key: "slot", default: .string("top")),
                    .optional("name"),
                ]))
        for name in ["a", "b", "b"] {
            do {
                try fixture.insert("Part", #"{"name": "\#(name)"}"#)
            } catch { Issue.record(error) }
        }
        #expect(try fixture.rows("SELECT slot, name FROM Part") == ["NULL|a", "NULL|b", "NULL|b"])
    }

    @Test func `JSON identifies by what it says, not by how it is spelled`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Setting", identity: ["key"],
                attributes: [.required("key", .json), .optional("value", .integer)]))
        try fixture.insert("Setting", #"[{"key": {"a": 1, "b": ["x"]}, "value": 1}]"#)
        let report = try fixture.insert(
            "Setting",
            #"[{"value": 2, "key": {"b": ["\u0078"], "a": 1.0}}, {"key": {"a": 1}, "value": 3}]"#)
        #expect(report["Setting"] == .init(1, 1))
        #expect(
            try fixture.rows("SELECT key, value FROM Setting") == [
                #"{"a":1,"b":["x"]}|2"#, #"{"a":1}|3"#,
            ])
    }

    static let blank = Transformer(
        "blank", from: { (text: String) in text.isEmpty ? nil : text })

    @Test func `a part of an identity that a transformer makes empty`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["box", "slot"],
                attributes: [
                    AttributeDescription("box", .integer, key: "box"),
                    .optional("slot", .string, Self.blank), .optional("name"),
                ]))
        for json in [
            #"{"box": 1, "name": "a"}"#, #"{"box": 1, "slot": "", "name": "b"}"#,
            #"{"box": 1, "slot": "", "name": "c"}"#,
        ] { try fixture.insert("Part", json) }
        #expect(try fixture.rows("SELECT box, slot, name FROM Part") == ["1|NULL|c"])
    }

    @Test func `an identity that a transformer makes empty`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["slot"],
                attributes: [.optional("slot", .string, Self.blank), .optional("name")]),
            EntityDescription(name: "Screw", parent: "Part"))
        for json in [
            #"{"slot": "", "name": "a"}"#, #"{"slot": "", "name": "b"}"#, #"{"name": "c"}"#,
        ] { try fixture.insert("Part", json) }
        #expect(
            try fixture.rows("SELECT slot, name FROM Part") == ["NULL|a", "NULL|b", "NULL|c"])
    }
}
