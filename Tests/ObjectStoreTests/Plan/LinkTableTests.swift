import Testing

@testable import LarderObjectStore

struct LinkTableTests {
    private static func query(_ entity: String) throws -> LinkQuery {
        let plan = try StorePlan(Model(entities: Comics.types))
        return LinkQuery(try plan.entity(entity).toMany[0], in: plan)
    }

    @Test func `links in a table of their own`() throws {
        let powers = try Self.query("Hero")
        #expect(powers.table == #""Hero.powers""#)
        #expect((powers.source, powers.target) == ("source", "target"))
        #expect(powers.order == "l.position IS NULL, l.position, l.target")
    }

    @Test func `links of the other side`() throws {
        let heroes = try Self.query("Power")
        #expect(heroes.table == #""Hero.powers""#)
        #expect((heroes.source, heroes.target) == ("target", "source"))
        #expect(heroes.order == "l.source")
    }

    @Test func `links in the destination's column`() throws {
        let heroes = try Self.query("Publisher")
        #expect(heroes.table == #""Hero""#)
        #expect((heroes.source, heroes.target) == (#""publisher""#, #""id""#))
        #expect(heroes.order == #"l."id""#)
    }
}
