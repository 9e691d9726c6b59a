import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct ModelReaderTests {
    private func model(_ json: String) throws -> Model {
        try Model(json: Data(json.utf8), name: "Test")
    }

    /// The one entity of a model, with what a test adds to it.
    private func entity(_ body: String, keys: String = "verbatim") throws -> EntityDescription {
        let model = try model(#"{"keys":"\#(keys)","entities":{"Thing":{\#(body)},"Other":{}}}"#)
        return try #require(model[entity: "Thing"])
    }

    private func attribute(
        _ json: String, named name: String = "value", keys: String = "verbatim"
    ) throws -> AttributeDescription {
        try #require(entity(#""attributes":{"\#(name)":\#(json)}"#, keys: keys).attributes.first)
    }

    private func relationship(_ body: String) throws -> RelationshipDescription {
        try #require(
            entity(#""relationships":{"link":{"to":"Other"\#(body)}}"#).relationships.first)
    }

    @Test func `reads the example of the format`() throws {
        let model = try Model(
            json: Data(
                #"""
                {
                  "name": "GitHub",
                  "keys": "snake_case",
                  "entities": {
                    "Issue": {
                      "identity": ["id"],
                      "attributes": {
                        "id": "integer",
                        "title": { "type": "string", "searchable": true },
                        "body": "string?",
                        "createdAt": { "type": "date", "transformer": "iso8601", "indexed": true },
                        "authorLogin": { "type": "string", "optional": true, "key": "user.login" },
                        "locked": { "type": "boolean", "default": false }
                      },
                      "relationships": {
                        "user": { "to": "User", "optional": true, "delete": "nullify" },
                        "labels": { "to": "Label", "many": true, "ordered": true,
                                    "inverse": "issues", "policy": "set" }
                      }
                    },
                    "User": { "identity": ["id"], "attributes": { "id": "integer" } },
                    "Label": {
                      "attributes": { "id": "integer" },
                      "relationships": {
                        "issues": { "to": "Issue", "many": true, "inverse": "labels", "key": null }
                      }
                    }
                  }
                }
                """#.utf8))
        #expect(model.name == "GitHub")
        #expect(model.entities.map(\.name) == ["Issue", "Label", "User"])
        let issue = EntityDescription(
            name: "Issue", identity: ["id"],
            attributes: [
                AttributeDescription("id", .integer, key: "id"),
                AttributeDescription("title", .string, key: "title", isSearchable: true),
                AttributeDescription("body", .string, isOptional: true, key: "body"),
                AttributeDescription(
                    "createdAt", .date, key: "created_at", transformer: .iso8601, isIndexed: true),
                AttributeDescription("authorLogin", .string, isOptional: true, key: "user.login"),
                AttributeDescription("locked", .boolean, key: "locked", default: .boolean(false)),
            ],
            relationships: [
                RelationshipDescription("user", to: "User", isOptional: true, key: "user"),
                RelationshipDescription(
                    "labels", to: "Label", isToMany: true, isOrdered: true, key: "labels",
                    inverse: "issues"),
            ])
        #expect(model[entity: "Issue"] == issue)
        #expect(model[entity: "Label"]?.identity == [])
        #expect(model[entity: "Label"]?.relationships.first?.key == nil)
    }

    // MARK: The model

    @Test func `a model is named by itself, else by the caller`() throws {
        #expect(try model(#"{"name":"Own","entities":{"A":{}}}"#).name == "Own")
        #expect(try model(#"{"entities":{"A":{}}}"#).name == "Test")
    }

    @Test func `a model in a file is named after the file`() throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "larder-\(UUID().uuidString)/Shop.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try Data(#"{"entities":{"A":{}}}"#.utf8).write(to: file)
        #expect(try Model(contentsOf: file).name == "Shop")
        try Data(#"{"name":"Other","entities":{"A":7}}"#.utf8).write(to: file)
        let error = #expect(throws: ModelError.self) { try Model(contentsOf: file) }
        #expect(error?.model == "Shop.json")
        try Data("{".utf8).write(to: file)
        let mistake = #expect(throws: JSONError.self) { try Model(contentsOf: file) }
        #expect(mistake?.file == file.path(percentEncoded: false))
        try FileManager.default.removeItem(at: file)
        #expect(throws: (any Error).self) { try Model(contentsOf: file) }
    }

    @Test func `a file may name its schema`() throws {
        #expect(
            try model(#"{"$schema":"./model.schema.json","entities":{"A":{}}}"#).entities.count == 1
        )
    }

    // MARK: Attributes

    @Test(arguments: AttributeType.allCases)
    func `a type alone is an attribute`(type: AttributeType) throws {
        #expect(
            try attribute("\"\(type.rawValue)\"")
                == AttributeDescription("value", type, key: "value"))
        #expect(
            try attribute("\"\(type.rawValue)?\"")
                == AttributeDescription("value", type, isOptional: true, key: "value"))
        #expect(
            try attribute(#"{"type":"\#(type.rawValue)","optional":true}"#)
                == attribute("\"\(type.rawValue)?\""))
    }

    @Test func `an attribute has what its keys say`() throws {
        #expect(
            try attribute(#"{"type":"string"}"#)
                == AttributeDescription("value", .string, key: "value"))
        #expect(try attribute(#"{"type":"string","indexed":true}"#).isIndexed)
        #expect(try attribute(#"{"type":"string","searchable":true}"#).isSearchable)
        #expect(try attribute(#"{"type":"string","renamedFrom":"old"}"#).renamedFrom == "old")
        #expect(try attribute(#"{"type":"string","optional":false}"#).isOptional == false)
        #expect(try attribute(#"{"type":"string","transformer":"string"}"#).transformer == .string)
        #expect(try attribute(#"{"type":"string","key":"a.b.c"}"#).key == "a.b.c")
        #expect(try attribute(#"{"type":"string","key":null}"#).key == nil)
    }

    @Test func `keys are made from names in the model's style`() throws {
        #expect(
            try attribute("\"url\"", named: "avatarURL", keys: "snake_case").key == "avatar_url")
        #expect(try attribute("\"url\"", named: "avatarURL").key == "avatarURL")
        #expect(
            try attribute(#"{"type":"url"}"#, named: "avatarURL", keys: "snake_case").key
                == "avatar_url")
        #expect(
            try attribute(#"{"type":"url","key":"avatarURL"}"#, named: "a", keys: "snake_case").key
                == "avatarURL")
        let link = try entity(#""relationships":{"closedBy":{"to":"Other"}}"#, keys: "snake_case")
        #expect(link.relationships.first?.key == "closed_by")
    }

    @Test(arguments: [
        ("integer", "7", DefaultValue.integer(7)), ("integer", "1.0", .integer(1)),
        ("integer", "-9223372036854775808", .integer(.min)), ("double", "1.5", .double(1.5)),
        ("double", "2", .double(2)), ("boolean", "true", .boolean(true)),
        ("string", "\"\"", .string("")), ("string", "\"a'b\"", .string("a'b")),
        ("decimal", "1.50", .string("1.5")), ("decimal", "\"12.25\"", .string("12.25")),
        ("url", "\"https://example.com/a\"", .string("https://example.com/a")),
        (
            "uuid", "\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"",
            .string("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
        ),
        ("date", "\"2001-01-01T00:01:00Z\"", .double(60)), ("date", "-0.5", .double(-0.5)),
    ])
    func `a default is read as its type`(type: String, json: String, value: DefaultValue) throws {
        #expect(try attribute(#"{"type":"\#(type)","default":\#(json)}"#).defaultValue == value)
    }

    @Test func `dates and bytes have a transformer without being told`() throws {
        #expect(try attribute("\"date\"").transformer == .iso8601)
        #expect(try attribute("\"data\"").transformer == .base64)
        #expect(try attribute(#"{"type":"date","transformer":"unix"}"#).transformer == .unix)
        #expect(try attribute(#"{"type":"date","transformer":"iso8601"}"#) == attribute("\"date\""))
        #expect(try attribute("\"integer\"").transformer == nil)
    }

    // MARK: Relationships

    @Test func `a relationship has what its keys say`() throws {
        #expect(try relationship("") == RelationshipDescription("link", to: "Other", key: "link"))
        #expect(try relationship(#","optional":true"#).isOptional)
        #expect(try relationship(#","many":true"#).isToMany)
        #expect(try relationship(#","many":true,"ordered":true"#).isOrdered)
        #expect(try !relationship(#","many":true"#).isOrdered)
        #expect(try relationship(#","key":"a.b""#).key == "a.b")
        #expect(try relationship(#","key":null"#).key == nil)
        #expect(try relationship(#","renamedFrom":"old""#).renamedFrom == "old")
        for rule in DeleteRule.allCases {
            #expect(try relationship(#","delete":"\#(rule.rawValue)""#).deleteRule == rule)
        }
        for policy in LinkPolicy.allCases {
            #expect(
                try relationship(#","many":true,"policy":"\#(policy.rawValue)""#).policy == policy)
        }
    }

    @Test func `an entity remembers its earlier name and its identity`() throws {
        let entity = try entity(
            #""renamedFrom":"Old","identity":["a","b"],"attributes":{"a":"integer","b":"string"}"#)
        #expect(entity.renamedFrom == "Old")
        #expect(entity.identity == ["a", "b"])
    }
}
