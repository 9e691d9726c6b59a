import Foundation
import Testing

@testable import LarderObjectStore

/// To-many relationships: what an array does to the links, by policy, order and storage.
struct MapperToManyTests {
    private static func lists(
        policy: LinkPolicy = .set, ordered: Bool = true
    ) throws -> StoreFixture {
        try StoreFixture(
            .numbered(
                "List", .optional("name"),
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, isOrdered: ordered, key: "items",
                        policy: policy)
                ]),
            .numbered("Item", .optional("name")))
    }

    private static let links =
        "SELECT source, target FROM \"List.items\" ORDER BY source, position, target"

    // MARK: Arrays, empty arrays, null, missing

    @Test func `an array replaces the links and keeps the objects`() throws {
        let fixture = try Self.lists()
        #expect(
            try fixture.insert("List", #"{"id": 1, "items": [3, 1, 2]}"#)["List"]
                == .init(1, linked: 3))
        #expect(try fixture.rows(Self.links) == ["1|3", "1|1", "1|2"])
        #expect(
            try fixture.insert("List", #"{"id": 1, "items": [2, 4]}"#)["List"]
                == .init(0, 0, 1, linked: 1, unlinked: 2))
        #expect(try fixture.rows(Self.links) == ["1|2", "1|4"])
        #expect(try fixture.rows("SELECT id FROM Item ORDER BY id") == ["1", "2", "3", "4"])
    }

    @Test(arguments: ["[]", "null", "[null, null]"])
    func `an empty array and null clear the links`(_ json: String) throws {
        let fixture = try Self.lists()
        try fixture.insert("List", #"[{"id": 1, "items": [1, 2]}, {"id": 2, "items": [1]}]"#)
        #expect(
            try fixture.insert("List", #"{"id": 1, "items": \#(json)}"#)["List"]
                == .init(0, 0, 1, unlinked: 2))
        #expect(try fixture.rows(Self.links) == ["2|1"])
    }

    @Test func `a missing key leaves the links`() throws {
        let fixture = try Self.lists()
        try fixture.insert("List", #"{"id": 1, "items": [1, 2]}"#)
        #expect(try fixture.insert("List", #"{"id": 1, "name": "A"}"#)["List"] == .init(0, 1))
        #expect(try fixture.rows(Self.links) == ["1|1", "1|2"])
    }

    @Test func `null elements are skipped and duplicates collapse to the first`() throws {
        let fixture = try Self.lists()
        let report = try fixture.insert(
            "List", #"{"id": 1, "items": [2, null, 1, 2, {"id": 1}, 3]}"#)
        #expect(report["List"] == .init(1, linked: 3))
        #expect(try fixture.rows(Self.links) == ["1|2", "1|1", "1|3"])
    }

    @Test(arguments: [("{}", "an object"), ("5", "5"), ("\"a\"", "\"a\""), ("true", "true")])
    func `refuses what is no array`(_ json: String, _ found: String) throws {
        let fixture = try Self.lists()
        #expect(
            fixture.mappingError("List", #"[{"id": 1, "items": \#(json)}]"#)
                == MappingError(
                    entity: "List", attribute: "items", path: "$[0].items",
                    reason: .unexpectedValue(expected: "an array", found: found)))
        #expect(try fixture.rows("SELECT count(*) FROM List") == ["0"])
    }

    @Test(arguments: [("[]", "an array"), ("true", "true")])
    func `refuses elements that are no object and no identity`(
        _ json: String, _ found: String
    ) throws {
        let fixture = try Self.lists()
        #expect(
            fixture.mappingError("List", #"{"id": 1, "items": [1, \#(json)]}"#)
                == MappingError(
                    entity: "Item", attribute: nil, path: "$.items[1]",
                    reason: .unexpectedValue(expected: "an object or an identity", found: found)))
        #expect(try fixture.rows("SELECT count(*) FROM Item") == ["0"])
    }

    // MARK: Order

    @Test func `an ordered relationship keeps the order of the JSON`() throws {
        let fixture = try Self.lists()
        try fixture.insert("List", #"{"id": 1, "items": [1, 2, 3]}"#)
        #expect(
            try fixture.insert("List", #"{"id": 1, "items": [3, 1, 2]}"#)["List"]
                == .init(0, 0, 1))
        #expect(try fixture.rows(Self.links) == ["1|3", "1|1", "1|2"])
        try fixture.insert("List", #"{"id": 1, "items": [4, 2]}"#)
        #expect(try fixture.rows(Self.links) == ["1|4", "1|2"])
        #expect(
            try fixture.rows("SELECT position FROM \"List.items\" ORDER BY 1") == ["0", "1"])
    }

    @Test func `without an order another order is no change`() throws {
        let fixture = try Self.lists(ordered: false)
        try fixture.insert("List", #"{"id": 1, "items": [1, 2, 3]}"#)
        let version = try fixture.dataVersion
        try fixture.insert("List", #"{"id": 1, "items": [3, 1, 2]}"#)
        #expect(try fixture.dataVersion == version)
        let report = try fixture.insert("List", #"{"id": 1, "items": [9, 3, 1]}"#)
        #expect(report["List"] == .init(0, 0, 1, linked: 1, unlinked: 1))
        #expect(
            try fixture.rows("SELECT target FROM \"List.items\" ORDER BY target")
                == ["1", "3", "9"])
    }

    @Test func `the same array again writes nothing`() throws {
        for ordered in [true, false] {
            let fixture = try Self.lists(ordered: ordered)
            try fixture.insert("List", #"{"id": 1, "items": [3, 1, 2]}"#)
            let version = try fixture.dataVersion
            #expect(
                try fixture.insert("List", #"{"id": 1, "items": [3, 1, 2]}"#)["List"]
                    == .init(0, 0, 1))
            #expect(try fixture.dataVersion == version)
        }
    }

    @Test func `long arrays are kept in order and compared`() throws {
        let fixture = try Self.lists()
        var generator = SplitMix64(seed: 5)
        var expected = Array(0..<3000).shuffled(using: &generator)
        for keep in [3000, 2000, 2500, 10, 0, 700] {
            expected = Array(Array(0..<3000).shuffled(using: &generator).prefix(keep))
            let doubled = expected + expected.reversed()
            try fixture.insert("List", #"{"id": 1, "items": \#(doubled)}"#)
            #expect(try fixture.rows(Self.links) == expected.map { "1|\($0)" })
        }
    }

    // MARK: Policies

    @Test func `union adds and takes nothing away`() throws {
        let fixture = try Self.lists(policy: .union)
        try fixture.insert("List", #"{"id": 1, "items": [3, 1]}"#)
        #expect(
            try fixture.insert("List", #"{"id": 1, "items": [2, 1]}"#)["List"]
                == .init(0, 0, 1, linked: 1))
        #expect(try fixture.rows(Self.links) == ["1|3", "1|1", "1|2"])
        let version = try fixture.dataVersion
        for json in ["[]", "null", "[1, 2, 3]"] {
            #expect(
                try fixture.insert("List", #"{"id": 1, "items": \#(json)}"#)["List"]
                    == .init(0, 0, 1))
        }
        #expect(try fixture.dataVersion == version)
        #expect(try fixture.rows(Self.links) == ["1|3", "1|1", "1|2"])
    }

    @Test func `replace deletes what fell out`() throws {
        let fixture = try Self.lists(policy: .replace)
        try fixture.insert("List", #"[{"id": 1, "items": [1, 2, 3]}, {"id": 2, "items": [3]}]"#)
        let report = try fixture.insert("List", #"{"id": 1, "items": [2, 4]}"#)
        // The other list loses its link too.
        #expect(report["List"] == .init(0, 0, 1, linked: 1, unlinked: 3))
        #expect(report["Item"] == .init(1, deleted: 2))
        #expect(try fixture.rows("SELECT id FROM Item ORDER BY id") == ["2", "4"])
        #expect(try fixture.rows(Self.links) == ["1|2", "1|4"])
        try fixture.insert("List", #"{"id": 1, "items": null}"#)
        #expect(try fixture.rows("SELECT id FROM Item") == [])
    }

    @Test func `what replace has deleted can come back in the same document`() throws {
        let fixture = try Self.lists(policy: .replace)
        try fixture.insert("List", #"{"id": 1, "items": [{"id": 1, "name": "A"}]}"#)
        let report = try fixture.insert(
            "List",
            """
            [{"id": 2, "items": [{"id": 1, "name": "A"}, 5]}, {"id": 1, "items": []},
             {"id": 2, "items": [{"id": 1, "name": "A"}, 5]}, {"id": 3, "items": [1]}]
            """)
        #expect(try fixture.rows("SELECT id, name FROM Item ORDER BY id") == ["1|A", "5|NULL"])
        #expect(try fixture.rows(Self.links) == ["2|1", "2|5", "3|1"])
        #expect(report["Item"].inserted == 2)
    }

    @Test func `replace can't delete what another object can't be without`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "List",
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, key: "items", policy: .replace)
                ]),
            .numbered("Item"),
            .numbered(
                "Order", relationships: [RelationshipDescription("item", to: "Item", key: "item")]))
        try fixture.insert("List", #"{"id": 1, "items": [1, 2]}"#)
        try fixture.insert("Order", #"{"id": 9, "item": 1}"#)
        #expect(
            fixture.mappingError("List", #"{"id": 1, "items": [2]}"#)
                == MappingError(
                    entity: "Order", attribute: "item", path: "$.items", reason: .leadsToDeleted))
        #expect(try fixture.rows("SELECT item FROM \"Order\"") == ["1"])
        #expect(try fixture.rows("SELECT count(*) FROM Item") == ["2"])
    }

    @Test func `an array inside an array's element is merged before what is around it`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Node",
                relationships: [
                    RelationshipDescription("next", to: "Node", isToMany: true, key: "next")
                ]))
        try fixture.insert(
            "Node", #"{"id": 1, "next": [{"id": 2, "next": [{"id": 1, "next": [2, 3]}]}]}"#)
        #expect(
            try fixture.rows("SELECT source, target FROM \"Node.next\" ORDER BY 1, 2")
                == ["1|2", "2|1"])
    }

    @Test func `a list of an object that stands inside another of its lists comes last`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Node",
                relationships: [
                    RelationshipDescription("next", to: "Node", isToMany: true, key: "next"),
                    RelationshipDescription("tags", to: "Tag", isToMany: true, key: "tags"),
                ]), .numbered("Tag"))
        let report = try fixture.insert(
            "Node", #"{"id": 1, "next": [{"id": 1, "tags": [7, 8]}], "tags": [8]}"#)
        #expect(try fixture.rows("SELECT * FROM \"Node.tags\"") == ["1|8"])
        #expect(report["Node"] == .init(1, linked: 3, unlinked: 1))
    }

    @Test func `an object of which only a list is named may have an empty identity`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "List", identity: ["id"], attributes: [.optional("id", .string)],
                relationships: [
                    RelationshipDescription("items", to: "Item", isToMany: true, key: "items")
                ]), .numbered("Item"))
        let report = try fixture.insert("List", #"[{"items": []}, {"items": [1]}]"#)
        #expect(report["List"] == .init(2, linked: 1))
        #expect(try fixture.rows("SELECT id FROM List") == ["NULL", "NULL"])
        #expect(try fixture.rows("SELECT source, target FROM \"List.items\"") == ["2|1"])
    }

    @Test func `an object that is new and gets another owner counts as new`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "List",
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, key: "items", inverse: "list")
                ]),
            EntityDescription(
                name: "Item", attributes: [.optional("name")],
                relationships: [
                    RelationshipDescription(
                        "list", to: "List", isOptional: true, key: "list", inverse: "items")
                ]))
        let report = try fixture.insert(
            "Item", #"[{"name": "a", "list": 1}, {"name": "b", "list": {"id": 1, "items": []}}]"#)
        #expect(report["Item"] == .init(2))
        #expect(try fixture.rows("SELECT name, list FROM Item") == ["a|NULL", "b|1"])
    }
}
