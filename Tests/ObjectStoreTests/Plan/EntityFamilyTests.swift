import Testing

@testable import LarderObjectStore

struct EntityFamilyTests {
    private func entity(_ name: String, to destinations: String..., parent: String? = nil)
        -> EntityDescription
    {
        EntityDescription(
            name: name, parent: parent,
            relationships: destinations.map {
                RelationshipDescription(
                    "to\($0)", to: $0, isToMany: true, key: $0 == "Z" ? nil : $0)
            })
    }

    @Test func `over relationships with keys, and where an entity may stand, those below it`() {
        let reach = EntityReach([
            entity("A", to: "B"), entity("B", to: "C"), entity("C"),
            entity("D", to: "A", parent: "C"),
            entity("E", to: "Z"), entity("Z", to: "A"),
        ])
        #expect(reach.leads(from: "A", to: "A"))
        #expect(reach.leads(from: "B", to: "A"))
        #expect(reach.leads(from: "D", to: "C"))
        #expect(!reach.leads(from: "A", to: "E"))
        #expect(!reach.leads(from: "E", to: "A"))
        #expect(!reach.leads(from: "B", to: "Z"))
    }
}
