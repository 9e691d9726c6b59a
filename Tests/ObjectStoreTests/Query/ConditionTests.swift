import Foundation
import Testing

@testable import LarderObjectStore

/// Conditions: the SQL of each and the rows it finds.
struct ConditionTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.import(
            Many<Hero>.self,
            from: Data(
                """
                [{"id": 1, "name": "Ann", "strength": 1, "identity": {"real_name": "Ann A"}},
                 {"id": 2, "name": "bob", "strength": 2.5, "active": false},
                 {"id": 3, "name": "Cid", "identity": {"real_name": ""}},
                 {"id": 4, "name": "Dän", "strength": -1, "identity": {"real_name": "x"}}]
                """.utf8))
    }

    private func ids(_ condition: (Hero.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Hero.where(condition)).map(\.id)
    }

    /// The condition's SQL with its values in place of the parameters.
    private func sql(_ condition: (Hero.Columns) -> Condition) throws -> String {
        let (sql, values) = try Hero.where(condition).compiled(for: store)
        let head = #"SELECT t0."id" FROM "Hero" AS t0 WHERE t0."$reference" IS NULL AND "#
        let tail = #" ORDER BY t0."id""#
        #expect(sql.hasPrefix(head))
        #expect(sql.hasSuffix(tail))
        var text = String(sql.dropFirst(head.count).dropLast(tail.count))
        for (index, value) in values.enumerated().reversed() {
            text = text.replacing("?\(index + 1)", with: value.literal)
        }
        return text
    }

    // MARK: Combinations

    @Test func `and, or and not`() throws {
        #expect(
            try sql { $0.id > 1 && $0.id < 4 || $0.name == "Ann" }
                == #"(((t0."id" > 1) AND (t0."id" < 4)) OR (t0."name" = 'Ann'))"#)
        #expect(
            try sql { $0.id > 1 && $0.id < 4 && ($0.id == 2 || $0.id == 3) }
                == #"((t0."id" > 1) AND (t0."id" < 4) AND ((t0."id" = 2) OR (t0."id" = 3)))"#)
        #expect(try ids { $0.id > 1 && $0.id < 4 } == [2, 3])
        #expect(try ids { $0.id == 1 || $0.id == 4 } == [1, 4])
        #expect(try ids { ($0.id == 1 || $0.id == 4) && $0.strength > 0 } == [1])
    }

    @Test func `not finds what the condition does not, empty values included`() throws {
        #expect(try sql { !($0.strength > 1) } == #"((t0."strength" > 1.0) IS NOT 1)"#)
        #expect(try ids { !($0.strength > 1) } == [1, 3, 4])
        #expect(try ids { !(!($0.strength > 1)) } == [2])
        #expect(try ids { !($0.id.isIn([1, 2])) } == [3, 4])
        #expect(try ids { !($0.realName.contains("A")) } == [2, 3, 4])
    }

    @Test(arguments: [100, 5000])
    func `many conditions in a chain`(_ count: Int) throws {
        let all = (0..<count).reduce(Hero.all) { query, step in query.where { $0.id != 100 + step }
        }
        #expect(try store.count(all) == 4)
        let one = try ids { hero in
            (0..<count).reduce(hero.id == 3) { $0 || hero.id == 100 + $1 }
        }
        #expect(one == [3])
    }
}
