import Testing

@testable import LarderObjectStore

/// What differs between two models, and what may be lost by it.
struct MigrationPlanTests {
    private func plan(
        _ before: [EntityDescription], _ after: [EntityDescription]
    ) throws -> MigrationPlan {
        try MigrationPlan(
            from: Model(name: "A", entities: before), to: Model(name: "B", entities: after))
    }

    @Test func `equal models need nothing`() throws {
        let plan = try plan([.numbered("A", .required("x"))], [.numbered("A", .required("x"))])
        #expect(plan.isEmpty)
        #expect(plan.possibleLosses == [])
        #expect(plan.description == "nothing to do")
    }

    @Test func `what JSON calls an attribute makes no difference`() throws {
        var text = AttributeDescription.required("x", .integer, .number)
        text.key = "y"
        let plan = try plan([.numbered("A", .required("x", .integer))], [.numbered("A", text)])
        #expect(plan.isEmpty)
    }

    @Test func `a plan reads line by line`() throws {
        var renamed = AttributeDescription.required("body")
        renamed.renamedFrom = "text"
        renamed.isIndexed = true
        var note = EntityDescription.numbered("Memo", renamed, .required("stars", .integer))
        note.renamedFrom = "Note"
        let plan = try plan(
            [
                .numbered("Note", .required("text"), .optional("stars"), .optional("gone")),
                .numbered("Old"),
            ],
            [note, .numbered("New")])
        #expect(
            plan.description == """
                rename Note to Memo
                rename text to Memo.body
                change Memo.body: index
                convert Memo.stars from string to integer
                change Memo.stars: optional
                remove Note.gone
                add New
                remove Old
                may lose Memo.stars: values that the new type can't hold unchanged
                may lose Memo.stars: objects without what is required now
                may lose Note.gone: the attribute is removed with its values
                may lose Old: the entity is removed with its objects
                """)
    }

    @Test func `relationships are compared by what the store keeps of them`() throws {
        func model(_ relationship: RelationshipDescription) -> [EntityDescription] {
            [.numbered("A", relationships: [relationship]), .numbered("B")]
        }
        let before = RelationshipDescription(
            "b", to: "B", isToMany: true, isOrdered: true, key: "b")
        let after = RelationshipDescription(
            "b", to: "B", isOptional: false, key: "x", deleteRule: .deny)
        #expect(
            try plan(model(before), model(after)).description == """
                change A.b: to many
                change A.b: order
                change A.b: delete rule
                may lose A.b: objects without what is required now
                may lose A.b: links beyond the first
                may lose A.b: places in the order of links
                """)
    }

    @Test func `an identity is the same set of attributes`() throws {
        func entity(_ identity: [String]) -> EntityDescription {
            EntityDescription(
                name: "A", identity: identity,
                attributes: [.required("a"), .required("b"), .required("c")])
        }
        #expect(try plan([entity(["a", "b"])], [entity(["b", "a"])]).isEmpty)
        #expect(
            try plan([entity(["a"])], [entity(["a", "b"])]).possibleLosses.map(\.reason)
                == [.unidentified])
        #expect(
            try plan([entity(["a", "b"])], [entity(["a"])]).possibleLosses.map(\.reason)
                == [.duplicate])
        #expect(
            try plan([entity(["a"])], [entity([])]).possibleLosses.map(\.reason)
                == [.identityRemoved])
    }
}
