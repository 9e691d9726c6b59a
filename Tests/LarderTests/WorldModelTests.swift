import Foundation
import Larder
import Testing

/// The example's entities are compiled here too: the folder World is a link to them.
@Suite struct WorldModelTests {
    @Test func `the entities and the model file say the same`() throws {
        let entities = try Model(
            name: "World", entities: Continent.self, Country.self, City.self, Person.self)
        let file = try Model(contentsOf: SourceFile.root.appending(path: "Schema/World.json"))
        #expect(entities == file)
    }

    @Test func `the model survives being written and read`() throws {
        let file = try Model(contentsOf: SourceFile.root.appending(path: "Schema/World.json"))
        let copy = try Model(json: JSONEncoder().encode(file))
        #expect(copy == file)
    }
}
