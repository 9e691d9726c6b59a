import Foundation
import Larder
import Testing

/// The entities of the replay and the model file beside them.
struct GitHubModelTests {
    /// The model of all entities that the recordings are read with.
    static func model() throws -> Model {
        try Model(
            name: "GitHub", entities: User.self, Organization.self, Repository.self, Issue.self,
            PullRequest.self, Label.self, Milestone.self, Team.self, Project.self,
            ProjectColumn.self, ProjectCard.self, Comment.self, Release.self, Asset.self,
            Gist.self, Commit.self, Event.self, Notification.self, Exchange.self)
    }

    @Test func `the entities and the model file say the same`() throws {
        let file = try Model(contentsOf: SourceFile.root.appending(path: "Schema/GitHub.json"))
        #expect(try Self.model() == file)
    }
}
