import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct RelationshipDescriptionTests {
    @Test func `only a to-many relationship has an order, only a to-one is required`() {
        let toOne = RelationshipDescription(
            "a", to: "B", isOptional: true, isOrdered: true, key: nil)
        #expect(toOne.isOptional && !toOne.isOrdered)
        let toMany = RelationshipDescription(
            "a", to: "B", isToMany: true, isOptional: true, isOrdered: true, key: nil)
        #expect(!toMany.isOptional && toMany.isOrdered)
    }

    @Test func `a to-one relationship has no policy`() {
        let entity = EntityDescription(
            name: "A", identity: [], attributes: [],
            relationships: [RelationshipDescription("a", to: "A", key: "a", policy: .union)])
        let error = #expect(throws: ModelError.self) { try Model(name: "M", entities: [entity]) }
        #expect(error?.problems.map(\.path) == ["entities.A.relationships.a.policy"])
    }
}
