import Foundation
import Testing

@testable import LarderObjectStore

/// Conditions and sorts through to-one relationships and over to-many ones.
struct QueryCompilerTests {
    private let store: Store

    init() throws { store = try Comics.store(Comics.mentors) }

    private func ids(_ query: Query<Hero>) throws -> [Int] { try store.fetch(query).map(\.id) }

    @Test func `one step`() throws {
        let query = Hero.where { $0.publisher.name == "P" }
        #expect(
            try query.compiled(for: store).sql
                == """
                SELECT t0."id" FROM "Hero" AS t0 LEFT JOIN "Publisher" AS t1 \
                ON t1."id" = t0."publisher" WHERE t0."$reference" IS NULL AND (t1."name" = ?1) \
                ORDER BY t0."id"
                """)
        #expect(try ids(query) == [1, 3])
    }

    @Test func `several steps join each table once`() throws {
        let query = Hero.where {
            $0.mentor.mentor.publisher.name == "P" && $0.mentor.mentor.id == 3
                && $0.mentor.name != "x"
        }
        let sql = try query.compiled(for: store).sql
        #expect(sql.components(separatedBy: "LEFT JOIN").count == 4)
        #expect(try ids(query) == [1])
        #expect(try ids(Hero.where { $0.mentor.mentor.mentor.name == "D" }) == [1])
    }

    @Test func `an empty step has no values`() throws {
        #expect(try ids(Hero.where { $0.publisher.name == "Q" }) == [2])
        #expect(try ids(Hero.where { $0.publisher.name != "P" }) == [2, 4, 5])
        #expect(try ids(Hero.where { !($0.publisher.name == "P") }) == [2, 4, 5])
        #expect(try ids(Hero.where { $0.publisher.founded == nil }) == [1, 2, 3, 4, 5])
    }

    @Test func `columns beyond a relationship have the operators that they have before it`() throws
    {
        #expect(try ids(Hero.where { $0.publisher.id.isIn([10, 99]) }) == [1, 3, 5])
        #expect(try ids(Hero.where { $0.publisher.id.isIn([11, nil]) }) == [2, 4])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(11...) }) == [2, 5])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(...11) }) == [1, 2, 3])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(..<11) }) == [1, 3])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(10...11) }) == [1, 2, 3])
        #expect(
            try ids(Hero.where { $0.publisher.name.hasPrefix("p", ignoringCase: true) }) == [1, 3])
        #expect(try ids(Hero.where { $0.publisher.name.lowercased() == "q" }) == [2])
        #expect(try ids(Hero.where { $0.publisher.name.length == nil }) == [4, 5])
        #expect(try ids(Hero.where { $0.publisher.founded.year == nil }) == [1, 2, 3, 4, 5])
        #expect(try ids(Hero.where { $0.publisher.id + 1 > 11 }) == [2, 5])
        #expect(try ids(Hero.where { $0.publisher.id - $0.id.optional == 9 }) == [1, 2])
        #expect(try ids(Hero.where { $0.publisher.name < $0.name }) == [])
        #expect(try ids(Hero.where { $0.name < $0.publisher.name }) == [1, 2, 3])
        #expect(try ids(Hero.where { $0.name == $0.mentor.name }) == [])
        let name: String? = nil
        #expect(try ids(Hero.where { $0.publisher.name == name }) == [4, 5])
    }

    @Test func `conditions and columns that an extension names are reached too`() throws {
        #expect(try ids(Hero.where { $0.publisher.isFirst }) == [1, 3])
        #expect(try ids(Hero.where { !$0.publisher.isFirst }) == [2, 4, 5])
        #expect(try ids(Hero.where { $0.publisher.label == "q" }) == [2])
    }

    @Test func `sums leave out what a relationship leads to and is empty`() throws {
        func publishers(_ condition: (Publisher.Columns) -> Condition) throws -> [Int] {
            try store.fetch(Publisher.where(condition)).map(\.id)
        }
        #expect(try publishers { $0.heroes.sum { $0.mentor.id } == 6 } == [10])
        #expect(
            try store.select(Publisher.all) { $0.heroes.sum { $0.mentor.publisher.id } } == [
                11, 10,
            ])
    }

    @Test func `counts links`() throws {
        #expect(try ids(Hero.where { $0.powers.count == 2 }) == [1])
        #expect(try ids(Hero.where { $0.powers.isEmpty }) == [3, 4, 5])
        #expect(try ids(Hero.where { !$0.powers.isEmpty }) == [1, 2])
        #expect(try ids(Hero.where { $0.publisher.heroes.count >= 2 }) == [1, 3])
        #expect(try ids(Hero.where { $0.mentor.powers.count == 1 }) == [1])
        #expect(
            try store.fetch(Power.where { $0.heroes.count > 1 }).map(\.id) == ["y"])
        #expect(
            try Hero.where { $0.powers.count > 1 }.compiled(for: store).sql.contains(
                #"((SELECT count(*) FROM "Hero.powers" AS l WHERE l.source = t0."id") > ?1)"#))
    }

    @Test func `sorts through relationships and by counts`() throws {
        #expect(try ids(Hero.all.sorted { $0.powers.count.descending }) == [1, 2, 3, 4, 5])
        #expect(
            try ids(Hero.all.sorted { $0.publisher.name.descending }.sorted { $0.id.descending })
                == [2, 3, 1, 5, 4])
        #expect(
            try store.fetch(Publisher.all.sorted { $0.heroes.count.ascending }).map(\.id)
                == [11, 10])
    }

    @Test func `a relationship that is not in the model is an error`() throws {
        let path = ColumnPath().appending("rival")
        let error = #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in Column<String>(path, "name") == "A" })
        }
        #expect(error?.reason == .unknownEntity)
        #expect(error?.message.contains("rival") == true)
        #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in ToManyColumn<Hero>(ColumnPath(), "rivals").isEmpty })
        }
        #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in Column<String>(ColumnPath(), "title") == "title" })
        }
    }
}

extension Publisher.Columns {
    fileprivate var isFirst: Condition { id == 10 }
    fileprivate var label: Column<String> { name.lowercased() }
}

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
