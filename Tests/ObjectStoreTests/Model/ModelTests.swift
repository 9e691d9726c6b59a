import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct ModelTests {
    /// An entity that uses all there is.
    static let thing = EntityDescription(
        name: "Thing", identity: ["id", "kind"],
        attributes: AttributeType.allCases.map {
            AttributeDescription("plain \($0)", $0, isOptional: true, key: "plain.\($0)")
        } + [
            AttributeDescription("id", .integer, key: "identifier", isIndexed: true),
            AttributeDescription("kind", .string, key: "kind", default: .string("it's")),
            AttributeDescription("text", .string, key: nil, isSearchable: true, renamedFrom: "old"),
            AttributeDescription(
                "count", .integer, key: "count", transformer: .number, default: .integer(.min)),
            AttributeDescription("ratio", .double, key: "ratio", default: .double(0.1)),
            AttributeDescription("whole", .double, key: "whole", default: .double(2)),
            AttributeDescription("price", .decimal, key: "price", default: .string("1.50")),
            AttributeDescription(
                "flag", .boolean, key: "flag", transformer: .boolean, default: .boolean(true)),
            AttributeDescription(
                "at", .date, key: "at", transformer: .unix, default: .double(0.25)),
            AttributeDescription(
                "site", .url, key: "site", default: .string("https://example.com")),
        ],
        relationships: [
            RelationshipDescription(
                "one", to: "Other", isOptional: true, key: "one", deleteRule: .deny),
            RelationshipDescription("owner", to: "Other", key: "a.b", inverse: "things"),
            RelationshipDescription(
                "many", to: "Other", isToMany: true, isOrdered: true, key: nil,
                deleteRule: .cascade, policy: .union, renamedFrom: "lots"),
            RelationshipDescription(
                "selves", to: "Thing", isToMany: true, key: "selves", policy: .replace),
        ],
        renamedFrom: "Object")

    static let other = EntityDescription(
        name: "Other", identity: [], attributes: [],
        relationships: [
            RelationshipDescription(
                "things", to: "Thing", isToMany: true, key: "things", inverse: "owner")
        ])

    @Test func `differs where any part of it differs`() throws {
        let changes: [(inout EntityDescription) -> Void] = [
            { $0.name = "Thong" }, { $0.identity = ["id"] }, { $0.renamedFrom = nil },
            { $0.attributes.removeFirst() }, { $0.attributes[0].name = "x" },
            { $0.attributes[0].type = .string }, { $0.attributes[0].isOptional.toggle() },
            { $0.attributes[0].key = nil }, { $0.attributes[0].transformer = .number },
            { $0.attributes[0].defaultValue = .integer(1) },
            { $0.attributes[0].isIndexed.toggle() },
            { $0.attributes[0].isSearchable.toggle() }, { $0.attributes[0].renamedFrom = "x" },
            { $0.relationships.removeFirst() }, { $0.relationships[0].name = "x" },
            { $0.relationships[0].destination = "x" }, { $0.relationships[0].isToMany.toggle() },
            { $0.relationships[0].isOptional.toggle() }, { $0.relationships[0].isOrdered.toggle() },
            { $0.relationships[0].key = nil }, { $0.relationships[0].inverse = "x" },
            { $0.relationships[0].deleteRule = .cascade }, { $0.relationships[0].policy = .union },
            { $0.relationships[0].renamedFrom = "x" },
        ]
        for (index, change) in changes.enumerated() {
            var changed = Self.thing
            change(&changed)
            #expect(changed != Self.thing, "change \(index)")
        }
    }

    @Test func `is checked however it came about`() throws {
        #expect(try Model(name: "None", entities: [] as [EntityDescription]).entities.isEmpty)
        let error = #expect(throws: ModelError.self) {
            try Model(name: "Half", entities: [Self.thing])
        }
        #expect(error?.model == "Half")
        #expect(
            error?.problems.map(\.path)
                == ["one", "owner", "many"].map { "entities.Thing.relationships.\($0).to" })
    }

    @Test func `a type that is listed twice is one problem, and said to be`() {
        let problem = "entities.Leaf: the type is listed twice"
        #expect(Model.problems(Leaf.self, Leaf.self) == [problem])
        #expect(Model.problems(Leaf.self, Twig.self, Leaf.self, Leaf.self) == [problem])
        #expect(Model.problems(Leaf.self, Twig.self) == [])
    }

    @Test func `the model of GitHub links issues, users, labels and milestones`() throws {
        let model = try Model(
            contentsOf: ConformanceFiles.root.appending(path: "Schema/GitHub.json"))
        #expect(model.entities.count >= 12)
        let issue = try #require(model[entity: "Issue"])
        #expect(issue.attribute(named: "createdAt")?.key == "created_at")
        #expect(issue.attribute(named: "url")?.key == "html_url")
        #expect(issue.attribute(named: "pullRequestURL")?.key == "pull_request.html_url")
        #expect(issue.relationship(named: "labels")?.isOrdered == true)
        #expect(issue.toOneRelationships.map(\.destination) == ["User", "User", "Milestone"])
        #expect(model[entity: "User"]?.attribute(named: "avatarURL")?.key == "avatar_url")
        #expect(model[entity: "Issue"]?.identity == ["id"])
    }
}

@Entity private struct Leaf {
    @Identity var id: Int
}

@Entity private struct Twig {
    @Identity var id: Int
}
