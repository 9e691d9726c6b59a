import Foundation
import Larder
import Testing

/// The entities of the replay and the model file beside them.
struct GitHubModelTests {
    @Test func `the entities and the model file say the same`() throws {
        let entities = try Model(
            name: "GitHub", entities: Issue.self, User.self, Label.self, Milestone.self)
        let file = try Model(contentsOf: SourceFile.root.appending(path: "Schema/GitHub.json"))
        #expect(entities == file)
    }
}
