import Foundation
import Testing

@testable import LarderObjectStore

/// Conditions: the SQL of each and the rows it finds.
struct ConditionTests {
    private let heroes: HeroConditions
    private var store: Store { heroes.store }

    init() throws { heroes = try HeroConditions() }

    // MARK: Combinations

    @Test func `and, or and not`() throws {
        #expect(
            try heroes.sql { $0.id > 1 && $0.id < 4 || $0.name == "Ann" }
                == #"(((t0."id" > 1) AND (t0."id" < 4)) OR (t0."name" = 'Ann'))"#)
        #expect(
            try heroes.sql { $0.id > 1 && $0.id < 4 && ($0.id == 2 || $0.id == 3) }
                == #"((t0."id" > 1) AND (t0."id" < 4) AND ((t0."id" = 2) OR (t0."id" = 3)))"#)
        #expect(try heroes.ids { $0.id > 1 && $0.id < 4 } == [2, 3])
        #expect(try heroes.ids { $0.id == 1 || $0.id == 4 } == [1, 4])
        #expect(try heroes.ids { ($0.id == 1 || $0.id == 4) && $0.strength > 0 } == [1])
    }

    @Test func `not finds what the condition does not, empty values included`() throws {
        #expect(try heroes.sql { !($0.strength > 1) } == #"((t0."strength" > 1.0) IS NOT 1)"#)
        #expect(try heroes.ids { !($0.strength > 1) } == [1, 3, 4])
        #expect(try heroes.ids { !(!($0.strength > 1)) } == [2])
        #expect(try heroes.ids { !($0.id.isIn([1, 2])) } == [3, 4])
        #expect(try heroes.ids { !($0.realName.contains("A")) } == [2, 3, 4])
    }

    @Test(arguments: [100, 5000])
    func `many conditions in a chain`(_ count: Int) throws {
        let all = (0..<count).reduce(Hero.all) { query, step in query.where { $0.id != 100 + step }
        }
        #expect(try store.count(all) == 4)
        let one = try heroes.ids { hero in
            (0..<count).reduce(hero.id == 3) { $0 || hero.id == 100 + $1 }
        }
        #expect(one == [3])
    }
}
