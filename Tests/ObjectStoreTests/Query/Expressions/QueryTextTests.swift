import Foundation
import Testing

@testable import LarderObjectStore

@Entity
private struct Hill {
    @Identity var id: Int
    var height: Float?
    var page: URL?
}

/// Conditions and orders given as text.
struct QueryTextTests {
    private let store: Store
    private let shop: Store

    init() throws {
        shop = try Shop.store()
        store = try Comics.store(Comics.team)
    }

    private func ids(_ text: String) throws -> [Int] {
        try store.fetch(try Hero.all.where(text, in: store)).map(\.id)
    }

    @Test(
        arguments: [
            ("id = 2", [2]), ("id != 2", [1, 3, 4]), ("id<2", [1]), ("id <= 2", [1, 2]),
            ("id > 2", [3, 4]), ("id >= 2", [2, 3, 4]), ("id = -2", []), ("id < 2.5", [1, 2]),
            ("strength = 2.5", [2]), ("strength > -2", [1, 2, 4]), ("strength = 25e-1", [2]),
            ("name = 'Ann'", [1]), ("realName = 'it''s'", [1]), ("realName = ''", [4]),
            ("name like 'B%'", [2]), ("name not like '%n'", [2, 3]), ("name like '_id'", [3]),
            ("id in (1, 3,99)", [1, 3]), ("name in ('Ann')", [1]), ("id not in (1)", [2, 3, 4]),
            ("strength is null", [3]), ("strength IS NOT NULL", [1, 2, 4]),
            ("id between 2 and 3", [2, 3]), ("id not between 2 and 3 and id < 4", [1]),
            ("isActive = true", [1, 3, 4]), ("isActive = False", [2]), ("isActive != 1", [2]),
            ("id = 1 or id = 2 and name = 'x'", [1]), ("(id = 1 or id = 2) and name = 'bob'", [2]),
            ("not id = 1", [2, 3, 4]), ("not not id = 1", [1]), ("not (id = 1 or id = 2)", [3, 4]),
            ("NOT strength > 0", [3, 4]), ("\"id\" = 1", [1]), ("  id=1  ", [1]), ("((id=1))", [1]),
            ("id\n=\n1", [1]),
        ] as [(String, [Int])])
    func `finds what it says`(_ text: String, _ expected: [Int]) throws {
        #expect(try ids(text) == expected)
    }

    @Test(arguments: [
        "height = 4.7", "height in (4.7)", "height between 4.7 and 5", "height >= 4.7",
        "not height != 4.7", "page = 'https://e.example/ä b'",
    ])
    func `a value is compared as the attribute keeps it`(_ text: String) throws {
        let store = try Store.inMemory(entities: Hill.self)
        try store.insert(
            "Hill", #"[{"id": 1, "height": 4.7, "page": "https://e.example/ä b"}, {"id": 2}]"#)
        #expect(try store.fetch(Hill.all.where(text, in: store)).map(\.id) == [1])
        #expect(try store.count(DynamicQuery("Hill").where("height", is: 4.7)) == 1)
    }

    @Test func `binds its values and quotes its names`() throws {
        let query = try Hero.all.where("name = '''; DROP TABLE Hero;--' or id in (1)", in: store)
        let (sql, values) = try query.compiled(for: store)
        #expect(
            sql.contains(
                #"((t0."name" = ?1) OR (t0."id" IN (SELECT value FROM json_each(?2))))"#))
        #expect(values == [.text("'; DROP TABLE Hero;--"), .text("[1]")])
    }

    @Test func `makes the SQL that the typed condition makes`() throws {
        let text = try Hero.all.where(
            "name like 'a%' and not (strength >= 1 or publisher.name != 'P')", in: store)
        let typed = Hero.where {
            $0.name.like("a%") && !($0.strength >= 1 || $0.publisher.name != "P")
        }
        #expect(try text.compiled(for: store).sql == typed.compiled(for: store).sql)
        #expect(try text.compiled(for: store).values == typed.compiled(for: store).values)
    }

    // MARK: Orders

    @Test func `sorts by what it names`() throws {
        func ids(_ text: String) throws -> [Int] {
            try store.fetch(try Hero.all.sorted(text, in: store)).map(\.id)
        }
        #expect(try ids("-id") == [4, 3, 2, 1])
        #expect(try ids("isActive, -name") == [2, 4, 3, 1])
        #expect(try ids("publisher.name,id") == [2, 4, 1, 3])
        let byPrice = try shop.fetch(try Product.all.sorted("-price", in: shop)).map(\.id)
        #expect(byPrice == [2, 1, 3, 4])
    }

    @Test(arguments: ["", "-", "id,", "id name", "powers.name", "publisher", "id desc", "+id"])
    func `refuses what is no order`(_ text: String) {
        #expect(throws: ExpressionError.self) { try Hero.all.sorted(text, in: store) }
    }
}
