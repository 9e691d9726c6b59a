import Foundation
import Larder
import Testing

/// All recorded bodies of GitHub's API under a model of nineteen entities, against a count of the
/// JSON that knows nothing of Larder.
struct GitHubEntitiesTests {
    private static let isRecorded: Bool = {
        let isRecorded = GitHubCensus.isRecorded
        if !isRecorded { print("SKIPPED: the recorded GitHub exchanges are not at ../shared/data") }
        return isRecorded
    }()

    /// An entity, and how its objects get in and out.
    private struct Kind: Sendable {
        let insert: @Sendable (Store, GitHubCensus.Body) throws -> Void
        let json: @Sendable (Store) throws -> Data

        init<Object: Entity>(_ type: Object.Type) {
            insert = { store, body in
                if body.isList {
                    try store.import(Many<Object>.self, from: body.json)
                } else {
                    try store.import(Object.self, from: body.json)
                }
            }
            json = { try $0.json(Object.all, relationships: .identities) }
        }
    }

    private static let kinds: [String: Kind] = [
        "User": Kind(User.self), "Organization": Kind(Organization.self),
        "Repository": Kind(Repository.self), "Issue": Kind(Issue.self),
        "PullRequest": Kind(PullRequest.self), "Label": Kind(Label.self),
        "Milestone": Kind(Milestone.self), "Team": Kind(Team.self), "Project": Kind(Project.self),
        "ProjectColumn": Kind(ProjectColumn.self), "ProjectCard": Kind(ProjectCard.self),
        "Comment": Kind(Comment.self), "Release": Kind(Release.self), "Asset": Kind(Asset.self),
        "Gist": Kind(Gist.self), "Commit": Kind(Commit.self), "Event": Kind(Event.self),
        "Notification": Kind(Notification.self), "Exchange": Kind(Exchange.self),
    ]

    @Test(.enabled(if: isRecorded))
    func `all recorded bodies make the rows that a count of the JSON finds`() throws {
        let census = try GitHubCensus()
        #expect(census.exchanges.count == 936)
        #expect(census.bodies.count > 600)
        let store = try Store.inMemory(model: GitHubModelTests.model())
        for body in census.bodies {
            try #require(Self.kinds[body.entity]).insert(store, body)
        }
        for exchange in census.exchanges { try store.import(Exchange.self, from: exchange) }
        #expect(census.objects.count == Self.kinds.count)
        for (entity, kind) in Self.kinds {
            let found = try objects(of: entity, in: kind.json(store))
            let counted = try #require(census.objects[entity])
            #expect(found.count == counted.count, "\(entity)")
            for (id, values) in counted {
                #expect(found[id] == values, "\(entity) \(id)")
            }
        }
    }

    @Test(.enabled(if: isRecorded))
    func `what was written as JSON makes the same rows in another store`() throws {
        let census = try GitHubCensus()
        let store = try Store.inMemory(model: GitHubModelTests.model())
        for body in census.bodies {
            try #require(Self.kinds[body.entity]).insert(store, body)
        }
        let other = try Store.inMemory(model: GitHubModelTests.model())
        for (entity, kind) in Self.kinds {
            let json = try kind.json(store)
            try kind.insert(other, .init(entity: entity, json: json, isList: true))
        }
        for kind in Self.kinds.values {
            let (first, second) = (try kind.json(store), try kind.json(other))
            #expect(try lines(first) == lines(second))
        }
    }

    /// Objects come in the order of their insertion, which the two stores do not share.
    private func lines(_ json: Data) throws -> Set<Data> {
        Set(try JSONDocument(json).root.elements?.map(\.source) ?? [])
    }

    /// The objects that the store wrote, in the terms of the count.
    private func objects(
        of entity: String, in json: Data
    ) throws -> [AnyHashable: [String: NSObject]] {
        let shape = try #require(GitHubShape.all[entity])
        let list = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        var objects: [AnyHashable: [String: NSObject]] = [:]
        for object in list {
            let id = try #require(shape.key(of: object))
            objects[id] = shape.values(of: object)
        }
        return objects
    }
}
