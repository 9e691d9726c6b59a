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

    private var model: Model {
        get throws { try Model(name: "All", entities: [Self.thing, Self.other]) }
    }

    @Test func `survives the way to the file format and back`() throws {
        let model = try model
        let copy = try Model(json: Data(model.json.utf8))
        #expect(copy == model)
        #expect(copy.name == "All")
        #expect(try copy.json == model.json)
    }

    @Test func `survives Foundation's coders and its own`() throws {
        let model = try model
        let data = try JSONEncoder().encode([model])
        #expect(try JSONDecoder().decode([Model].self, from: data) == [model])
        #expect(try JSONDocument(data).root.decode([Model].self) == [model])
        let list = try PropertyListEncoder().encode(Wrapped(model: model))
        #expect(try PropertyListDecoder().decode(Wrapped.self, from: list).model == model)
    }

    private struct Wrapped: Codable { var model: Model }

    @Test func `a decoder reports all problems as well`() throws {
        let json = Data(#"{"entities":{"A":{"x":1},"B":{"y":2}}}"#.utf8)
        let errors = [
            #expect(throws: ModelError.self) { try JSONDecoder().decode(Model.self, from: json) },
            #expect(throws: ModelError.self) { try JSONDocument(json).root.decode(Model.self) },
        ]
        for error in errors { #expect(error?.problems.count == 2) }
    }

    @Test func `is equal whatever order its parts are in`() throws {
        var shuffled = Self.thing
        shuffled.attributes.reverse()
        shuffled.relationships.reverse()
        shuffled.identity.reverse()
        #expect(try Model(name: "Name is for people", entities: [Self.other, shuffled]) == model)
        #expect(Set([shuffled, Self.thing]).count == 1)
    }

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
        #expect(throws: ModelError.self) {
            try Model(name: "None", entities: [] as [EntityDescription])
        }
        let error = #expect(throws: ModelError.self) {
            try Model(name: "Half", entities: [Self.thing])
        }
        #expect(error?.model == "Half")
        #expect(
            error?.problems.map(\.path)
                == ["one", "owner", "many"].map { "entities.Thing.relationships.\($0).to" })
    }

    @Test func `defaults are checked however they came about`() throws {
        func problems(_ type: AttributeType, _ value: DefaultValue) -> Int {
            let entity = EntityDescription(
                name: "A", identity: [],
                attributes: [AttributeDescription("a", type, key: "a", default: value)])
            do throws(ModelError) {
                _ = try Model(name: "M", entities: [entity])
                return 0
            } catch {
                return error.problems.count
            }
        }
        #expect(problems(.double, .integer(1)) == 0)
        #expect(problems(.date, .double(1)) == 0)
        #expect(problems(.uuid, .string(UUID().uuidString.lowercased())) == 0)
        for (type, value) in [
            (.double, .double(.nan)), (.date, .double(.infinity)), (.uuid, .string("x")),
            (.decimal, .string("1,5")),
            (.url, .string("")), (.integer, .double(1)), (.boolean, .integer(1)),
            (.data, .string("x")), (.json, .string("{}")), (.string, .integer(1)),
        ] as [(AttributeType, DefaultValue)] {
            #expect(problems(type, value) == 1, "\(type) \(value)")
        }
    }

    @Test func `a to-one relationship has no policy`() {
        let entity = EntityDescription(
            name: "A", identity: [], attributes: [],
            relationships: [RelationshipDescription("a", to: "A", key: "a", policy: .union)])
        let error = #expect(throws: ModelError.self) { try Model(name: "M", entities: [entity]) }
        #expect(error?.problems.map(\.path) == ["entities.A.relationships.a.policy"])
    }

    @Test func `finds entities and properties by name`() throws {
        let model = try model
        #expect(model[entity: "Thing"] == Self.thing)
        #expect(model[entity: "thing"] == nil)
        #expect(Self.thing.attribute(named: "id")?.key == "identifier")
        #expect(Self.thing.attribute(named: "one") == nil)
        #expect(Self.thing.relationship(named: "one")?.deleteRule == .deny)
        #expect(Self.thing.toOneRelationships.map(\.name) == ["one", "owner"])
    }

    @Test(arguments: ["GitHub", "Inbox", "World"])
    func `the package's own model files can be read`(name: String) throws {
        let file = ConformanceFiles.root.appending(path: "Schema/\(name).json")
        let model = try Model(contentsOf: file)
        #expect(model.name == name)
        #expect(try Model(json: Data(model.json.utf8)) == model)
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
