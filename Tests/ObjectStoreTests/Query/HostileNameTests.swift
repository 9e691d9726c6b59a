import Foundation
import Testing

@testable import LarderObjectStore

/// Names that would break SQL if they were not quoted.
struct HostileNameTests {
    private static let names = [
        #"a"; DROP TABLE x;--"#, "a'", "a]", "[x]", "a\"\"", "select", "table", "rowid", "oid",
        "_rowid_",
        "a\"\u{301}; DROP TABLE x", "\u{301}a", "a\"\u{200D}b", "\"\"\u{301}\"",
        "a b", "ü", "a🦸", "?1", ":a", "@a", "source", "target", "position", "t0", "l", "excluded",
        "value", "key", "row", "null", "1", "a%", "a*", "a--", "/*a*/", "a;", "store",
        String(repeating: "x", count: 120),
    ]

    @Test(arguments: names)
    func `entities, attributes and relationships may have any name`(_ name: String) throws {
        let other = name + "2"
        let fixture = try StoreFixture(
            EntityDescription(
                name: name, identity: [name],
                attributes: [
                    AttributeDescription(name, .string, key: "id"),
                    AttributeDescription(
                        other, .string, key: "v", default: .string("d'\"'\u{301}"),
                        isIndexed: true, isSearchable: true),
                ],
                relationships: [
                    RelationshipDescription(
                        name + "3", to: name, isOptional: true, key: "one", inverse: name + "4"),
                    RelationshipDescription(
                        name + "4", to: name, isToMany: true, key: "children", inverse: name + "3"),
                    RelationshipDescription(
                        name + "5", to: name, isToMany: true, isOrdered: true, key: "many"),
                ]))
        let json =
            #"[{"id": "a", "one": "b", "many": ["a", "b"]}, {"id": "b", "v": "w", "children": ["b"]}]"#
        #expect(try fixture.insert(name, json)[name].inserted == 2)
        try fixture.insert(name, #"[{"id": "a", "v": "x", "many": []}]"#)
        let table = name.sqlName
        #expect(
            try fixture.rows("SELECT \(table), \(other.sqlName) FROM \(table) ORDER BY 1")
                == ["a|x", "b|w"])
        #expect(try fixture.store.count(of: name + "4", owner: 1, entity: name) == 1)
        #expect(try fixture.store.count(of: name + "5", owner: 2, entity: name) == 0)

        let reopened = try Store(at: fixture.path, model: fixture.store.model)
        let plan = try reopened.plan.entity(name)
        var compiler = QueryCompiler(entity: plan, in: reopened.plan)
        let sql = try compiler.select(QueryDescription(entity: name), columns: [name, other])
        #expect(try fixture.rows(sql) == ["b|w", "a|x"])
    }
}
