import Foundation
import Testing

@testable import LarderObjectStore

/// Four heroes, and what conditions on them are in SQL and find.
struct HeroConditions {
    let store: Store

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

    /// The identities of the heroes that a condition finds.
    func ids(_ condition: (Hero.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Hero.where(condition)).map(\.id)
    }

    /// The condition's SQL with its values in place of the parameters.
    func sql(_ condition: (Hero.Columns) -> Condition) throws -> String {
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
}
