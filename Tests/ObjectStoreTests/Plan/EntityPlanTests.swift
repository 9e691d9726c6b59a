import Testing

@testable import LarderObjectStore

struct EntityPlanTests {
    private static func plan(_ entity: EntityDescription) throws -> EntityPlan {
        try StorePlan(Model(name: "Test", entities: [entity])).entity(entity.name)
    }

    @Test(arguments: [
        (["id"], AttributeType.integer, false, "\"id\""), (["id"], .integer, true, "\"$id\""),
        (["id"], .string, false, "\"$id\""), (["id"], .boolean, false, "\"$id\""),
        (["id", "name"], .integer, false, "\"$id\""), ([], .integer, false, "\"$id\""),
    ])
    func `a single whole number is the rowid`(
        _ identity: [String], _ type: AttributeType, _ isOptional: Bool, _ rowid: String
    ) throws {
        let plan = try Self.plan(
            EntityDescription(
                name: "Thing", identity: identity,
                attributes: [
                    AttributeDescription("name", .string, key: "name"),
                    AttributeDescription("id", type, isOptional: isOptional, key: "id"),
                ]))
        #expect(plan.rowid == rowid)
        #expect(
            plan.identifying.columns
                == (identity.isEmpty ? [] : identity.count == 1 ? [1] : [0, 1]))
        #expect(plan.referringColumn == (identity.count == 1 ? 1 : nil))
        #expect(plan.hasOptionalIdentity == (isOptional && !identity.isEmpty))
    }

    @Test func `requires what has neither default nor may be empty`() throws {
        let plan = try Self.plan(
            EntityDescription(
                name: "Thing", identity: ["id"],
                attributes: [
                    .required("id", .integer), .optional("a"), .required("b"),
                    AttributeDescription("c", .string, key: "c", default: .string("x")),
                ],
                relationships: [
                    RelationshipDescription("d", to: "Thing", key: "d"),
                    RelationshipDescription("e", to: "Thing", isOptional: true, key: "e"),
                    RelationshipDescription("f", to: "Thing", isToMany: true, key: "f"),
                ]))
        #expect(plan.required.columns == [0, 2, 4])
        #expect(plan.requiredRest.columns == [2, 4])
        #expect(!plan.isWholeByIdentity)
        #expect(plan.attributeCount == 4)
        #expect(plan.columnCount == 6)
        #expect(plan.fieldCount == 7)
        #expect((0..<7).map(plan.fieldName) == ["id", "a", "b", "c", "d", "e", "f"])
    }
}
