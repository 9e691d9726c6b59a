import Testing

@testable import LarderObjectStore

struct StorePlanTests {
    private static func plan() throws -> StorePlan {
        try StorePlan(Model(entities: Comics.types))
    }

    @Test func `an entity that is not in the model is an error that says what to do`() throws {
        let error = #expect(throws: StoreError.self) { try Self.plan().entity("Villain") }
        #expect(error?.reason == .unknownEntity)
        #expect(error?.message.contains("Villain") == true)
    }

    @Test func `a relationship between many shares one table with its inverse`() throws {
        let plan = try Self.plan()
        guard case .table(let powers) = try plan.entity("Hero").toMany[0].storage,
            case .table(let heroes) = try plan.entity("Power").toMany[0].storage
        else {
            Issue.record("not kept in tables")
            return
        }
        #expect(powers.name == heroes.name)
        #expect((powers.source, powers.target) == (heroes.target, heroes.source))
        #expect(powers.position == "position")
        #expect(heroes.position == nil)
        #expect(heroes.order(on: "l") == "l.\(heroes.target)")
    }

    @Test func `the inverse of a to-one relationship is kept in its column`() throws {
        let plan = try Self.plan()
        let hero = try plan.entity("Hero")
        guard case .column(let column) = try plan.entity("Publisher").toMany[0].storage else {
            Issue.record("not kept in a column")
            return
        }
        #expect(hero.columnNames[column] == "publisher")
        #expect(hero.columns[column].inverse == 0)
    }

    @Test func `knows which relationships may lead back to their owner`() throws {
        let plan = try Self.plan()
        #expect(try plan.entity("Hero").toMany[0].leadsBack)
        let lists = try StorePlan(
            Model(
                name: "Test",
                entities: [
                    .numbered(
                        "List",
                        relationships: [
                            RelationshipDescription(
                                "items", to: "Item", isToMany: true, key: "items"),
                            RelationshipDescription(
                                "parts", to: "Part", isToMany: true, key: "parts"),
                        ]),
                    .numbered(
                        "Item",
                        relationships: [
                            RelationshipDescription("list", to: "List", isOptional: true, key: nil)
                        ]),
                    .numbered(
                        "Part",
                        relationships: [
                            RelationshipDescription("item", to: "Item", isOptional: true, key: "i"),
                            RelationshipDescription("list", to: "List", isOptional: true, key: "l"),
                        ]),
                ]))
        #expect(try lists.entity("List").toMany.map(\.leadsBack) == [false, true])
    }

    /// By the cube of the number it would be 64 times.
    @Test func `four times as many entities take some four times as long`() throws {
        func seconds(_ count: Int) throws -> Double {
            let entities = (0..<count).map { number in
                EntityDescription.numbered(
                    "E\(number)",
                    relationships: [
                        RelationshipDescription(
                            "next", to: "E\((number + 1) % count)", isToMany: true, key: "next")
                    ])
            }
            return try processorSeconds {
                let plan = try StorePlan(Model(name: "Ring", entities: entities))
                let schema = Schema(plan: plan)
                #expect(plan.entities.flatMap { schema.statements(for: $0) }.count == 2 * count)
            }
        }
        let (few, many) = (try seconds(100), try seconds(400))
        #expect(many < 32 * max(few, 0.01), "\(few) s, \(many) s")
    }
}
