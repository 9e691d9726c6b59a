import Testing

@testable import LarderObjectStore

struct TableNamesTests {
    private let plan: StorePlan
    private let names: TableNames

    init() throws {
        plan = try Comics.store().plan
        names = TableNames(plan)
    }

    @Test func `numbers the tables of objects and links`() throws {
        let numbers = ["Publisher", "Hero", "Power", "Card", "Hero.powers"].map {
            names.number(named: $0)
        }
        #expect(!numbers.contains(nil))
        #expect(Set(numbers).count == 5)
        #expect(names.number(named: "Hero.publisher") == nil)
        #expect(names.number(named: "$store") == nil)
        #expect(names.number(of: try plan.entity("Hero")) == names.number(named: "Hero"))
    }

    @Test func `says what a table holds`() throws {
        let hero = names.number(of: try plan.entity("Hero"))
        guard case .objects(let columns) = names[hero] else {
            Issue.record("no table of objects")
            return
        }
        #expect(
            columns == ["id", "name", "realName", "strength", "isActive", "publisher", "mentor"])
        let links = try #require(names.number(named: "Hero.powers"))
        guard case .links = names[links] else {
            Issue.record("no table of links")
            return
        }
    }

    @Test func `a relationship and its inverse have one table of links`() throws {
        let links = try #require(names.number(named: "Hero.powers"))
        for (entity, name) in [("Hero", "powers"), ("Power", "heroes")] {
            let relationship = try #require(
                try plan.entity(entity).toMany.first { $0.name == name })
            guard case .table(let table) = relationship.storage else {
                Issue.record("no table of links")
                return
            }
            #expect(names.number(of: table) == links)
            #expect(names.linkTables(of: names.number(of: try plan.entity(entity))) == [links])
        }
        #expect(names.linkTables(of: names.number(of: try plan.entity("Card"))) == [])
    }

    @Test func `takes names apart from their quotation marks`() throws {
        let plan = try StorePlan(
            try Model(name: "Test", entities: [.numbered("a\"b"), .numbered("\"\"c")]))
        let names = TableNames(plan)
        #expect(names.number(named: "a\"b") == 1)
        #expect(names.number(named: "\"\"c") == 0)
    }
}
