import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct EntityDescriptionTests {
    @Test func `is equal whatever order its parts are in`() throws {
        var shuffled = ModelTests.thing
        shuffled.attributes.reverse()
        shuffled.relationships.reverse()
        shuffled.identity.reverse()
        let model = try Model(name: "All", entities: [ModelTests.thing, ModelTests.other])
        let other = try Model(name: "Name is for people", entities: [ModelTests.other, shuffled])
        #expect(other == model)
        #expect(Set([shuffled, ModelTests.thing]).count == 1)
    }

    @Test func `finds entities and properties by name`() throws {
        let model = try Model(name: "All", entities: [ModelTests.thing, ModelTests.other])
        #expect(model[entity: "Thing"] == ModelTests.thing)
        #expect(model[entity: "thing"] == nil)
        #expect(ModelTests.thing.attribute(named: "id")?.key == "identifier")
        #expect(ModelTests.thing.attribute(named: "one") == nil)
        #expect(ModelTests.thing.relationship(named: "one")?.deleteRule == .deny)
        #expect(ModelTests.thing.toOneRelationships.map(\.name) == ["one", "owner"])
    }
}
