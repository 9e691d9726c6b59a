import Foundation
import Testing

@testable import LarderObjectStore

@Entity
private struct Project {
    @Identity var id: Int
    var name: String
    var isArchived = false
}

@Entity
private struct Duty {
    @Identity var id: Int
    var project: One<Project>?
}

/// Attributes' defaults are those of objects: a reference gets them when it becomes one.
struct ReferenceDefaultsTests {
    enum Kind: CaseIterable {
        case number, text, parts, family

        var table: String { self == .family ? "Account" : "User" }

        /// What identifies a user, as members of an object.
        func identity(_ number: Int) -> String {
            switch self {
            case .number, .family: #""id": \#(number)"#
            case .text: #""id": "u\#(number)""#
            case .parts: #""id": "u\#(number)", "part": "p""#
            }
        }

        func entities(_ attributes: [AttributeDescription]) -> [EntityDescription] {
            let issue = EntityDescription.numbered(
                "Issue",
                relationships: [
                    RelationshipDescription(
                        "user", to: "User", isOptional: true, key: "user", isPartial: true)
                ])
            let login = AttributeDescription.required("login")
            let id = AttributeDescription.required("id", self == .number ? .integer : .string)
            switch self {
            case .number, .text:
                return [
                    issue,
                    EntityDescription(
                        name: "User", identity: ["id"], attributes: [id, login] + attributes),
                ]
            case .parts:
                return [
                    issue,
                    EntityDescription(
                        name: "User", identity: ["id", "part"],
                        attributes: [id, .optional("part"), login] + attributes),
                ]
            case .family:
                let half = attributes.count / 2
                return [
                    issue,
                    EntityDescription(
                        name: "Account", identity: ["id"],
                        attributes: [AttributeDescription.required("id", .integer)]
                            + attributes.prefix(half)),
                    EntityDescription(
                        name: "User", parent: "Account",
                        attributes: [login] + attributes.dropFirst(half)),
                ]
            }
        }
    }

    private static let role = AttributeDescription(
        "role", .string, key: "role", default: .string("member"))
    private static let note = AttributeDescription(
        "note", .string, isOptional: true, key: "note", default: .string("none"),
        isSearchable: true)

    @Test(arguments: Kind.allCases)
    func `a reference gets them when it becomes an object`(_ kind: Kind) throws {
        let fixture = try StoreFixture(
            Model(name: "Test", entities: kind.entities([Self.role, Self.note])))
        func users() throws -> [String] {
            try fixture.rows("SELECT role, note FROM \(kind.table) ORDER BY rowid")
        }
        for number in 1...3 {
            try fixture.insert(
                "Issue", #"{"id": \#(number), "user": {\#(kind.identity(number))}}"#)
        }
        #expect(try users() == ["NULL|NULL", "NULL|NULL", "NULL|NULL"])
        try fixture.insert("User", #"{\#(kind.identity(1)), "login": "a"}"#)
        try fixture.insert("User", #"{\#(kind.identity(2)), "login": "b", "note": null}"#)
        // Not even what becomes whole by two objects of a document.
        try fixture.insert(
            "User",
            #"[{\#(kind.identity(3)), "role": "owner"}, {\#(kind.identity(3)), "login": "c"}]"#)
        #expect(try users() == ["member|none", "member|NULL", "owner|none"])
        try fixture.insert("User", #"{\#(kind.identity(2)), "login": "b2"}"#)
        #expect(try users() == ["member|none", "member|NULL", "owner|none"])
        #expect(try fixture.store.checkIntegrity().description == "ok")
    }

    @Test(arguments: Kind.allCases)
    func `what is named first and last, in more ways than have a statement`(_ kind: Kind) throws {
        let attributes = (0..<8).map { number in
            AttributeDescription(
                "a\(number)", .integer, isOptional: number % 2 == 0, key: "a\(number)",
                default: .integer(Int64(number)))
        }
        let fixture = try StoreFixture(Model(name: "Test", entities: kind.entities(attributes)))
        let names = attributes.map(\.name).joined(separator: ", ")
        let query = "SELECT \(names) FROM \(kind.table) ORDER BY rowid"
        var random = SplitMix64(seed: 3)
        var (references, objects): ([String], [String]) = ([], [])
        /// Some of the attributes, as members.
        func members(_ values: inout [Int: Int], _ value: Int) -> String {
            (0..<8).filter { _ in random.next() % 3 == 0 }.map { number in
                values[number] = value
                return #", "a\#(number)": \#(value)"#
            }.joined()
        }
        var issues: [String] = []
        var users: [String] = []
        for number in 1...120 {
            var values: [Int: Int] = [:]
            let identity = kind.identity(number)
            issues.append(
                #"{"id": \#(number), "user": {\#(identity)\#(members(&values, 10))}}"#)
            references.append(
                (0..<8).map { values[$0].map { "\($0)" } ?? "NULL" }.joined(separator: "|"))
            users.append(#"{\#(identity), "login": "x"\#(members(&values, 20))}"#)
            objects.append((0..<8).map { "\(values[$0] ?? $0)" }.joined(separator: "|"))
        }
        try fixture.insert("Issue", "[\(issues.joined(separator: ", "))]")
        #expect(try fixture.rows(query) == references)
        try fixture.insert("User", "[\(users.joined(separator: ", "))]")
        #expect(try fixture.rows(query) == objects)
    }

    @Test func `a reference to any of a family gets those of what it becomes`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Account", isAbstract: true, identity: ["id"],
                attributes: [.required("id", .integer), Self.role],
                mapper: EntityMapper(key: "kind", values: ["u": "User", "b": "Bot"])),
            EntityDescription(
                name: "User", parent: "Account", attributes: [.required("login"), Self.note]),
            EntityDescription(
                name: "Bot", parent: "Account",
                attributes: [
                    AttributeDescription("mark", .string, key: nil, default: .string("b"))
                ]),
            .numbered(
                "Issue",
                relationships: [RelationshipDescription("owner", to: "Account", key: "owner")]))
        try fixture.insert("Issue", #"[{"id": 1, "owner": 1}, {"id": 2, "owner": 2}]"#)
        let query = "SELECT role, note, mark FROM Account ORDER BY id"
        #expect(try fixture.rows(query) == ["NULL|NULL|NULL", "NULL|NULL|NULL"])
        try fixture.insert(
            "Account", #"[{"kind": "u", "id": 1, "login": "a"}, {"kind": "b", "id": 2}]"#)
        #expect(try fixture.rows(query) == ["member|none|NULL", "member|NULL|b"])
    }

    @Test func `nothing beyond a link is known until then, and observers hear of it`() throws {
        let store = try Store.inMemory(entities: Duty.self, Project.self)
        try store.insert("Duty", #"{"id": 1, "project": 7}"#)
        let live = Duty.where { $0.project.isArchived == false }
        let recorder = LiveRecorder(store.observe(live).map { $0.map(\.id) }, of: store)
        #expect(recorder.take() == [[]])
        #expect(try store.count(Duty.where { $0.project.isArchived.isNil }) == 1)
        try store.insert("Project", #"{"id": 7, "name": "p"}"#)
        #expect(recorder.take() == [[1]])
        recorder.cancel()
    }

    // MARK: Files

    private func user(_ attributes: AttributeDescription...) -> EntityDescription {
        EntityDescription(
            name: "User", identity: ["id"],
            attributes: [.required("id", .integer), .required("login")] + attributes)
    }

    private var issue: EntityDescription { Kind.number.entities([])[0] }

    private func required(_ value: String? = nil) -> AttributeDescription {
        AttributeDescription("role", .string, key: "role", default: value.map { .string($0) })
    }

    private let issues = #"[{"id": 1, "user": 7}]"#
    private let bob = #"[{"id": 8, "login": "bob", "role": "guest"}]"#

    /// The attribute before, and what it is in the object that is there then.
    @Test(arguments: [
        ("required", "guest"), ("default", "guest"), ("none", "member"), ("optional", "guest"),
    ])
    func `the default is that of the model by which it becomes one`(
        _ before: String, _ there: String
    ) throws {
        let fixture = try MigrationFixture()
        let old =
            switch before {
            case "required": user(required())
            case "default": user(required("first"))
            case "none": user()
            default: user(.optional("role"))
            }
        try fixture.make(old, issue, inserting: ["Issue": issues, "User": bob])
        try fixture.migrate(user(required("member")), issue)
        let query = "SELECT id, role FROM User ORDER BY id"
        #expect(try fixture.rows(query) == ["7|NULL", "8|\(there)"])
        try fixture.make(
            user(required("member")), issue,
            inserting: ["User": #"[{"id": 7, "login": "ann"}, {"id": 9, "login": "eve"}]"#])
        #expect(try fixture.rows(query) == ["7|member", "8|\(there)", "9|member"])
    }

    @Test func `a default that is gone stands for nothing that is required`() throws {
        let fixture = try MigrationFixture()
        try fixture.make(user(required("first")), issue, inserting: ["Issue": issues])
        try fixture.migrate(user(required()), issue)
        #expect(throws: MappingError.self) {
            try fixture.make(
                user(required()), issue, inserting: ["User": #"[{"id": 7, "login": "ann"}]"#])
        }
    }

    @Test func `a default of references is nothing to be lost`() throws {
        let fixture = try MigrationFixture()
        try fixture.make(
            user(required("")), issue,
            inserting: [
                "Issue": issues, "User": #"[{"id": 8, "login": "bob", "role": "12"}]"#,
            ])
        let number = AttributeDescription("role", .integer, key: "role", default: .integer(0))
        #expect(try fixture.refusal(user(number), issue) == [])
        #expect(try fixture.rows("SELECT id, role FROM User ORDER BY id") == ["7|NULL", "8|12"])
        #expect(
            try fixture.refusal(user(), issue)
                == ["User.role: the attribute is removed with its values (1)"])
    }

    @Test func `what becomes whole by its identity has them`() throws {
        let fixture = try MigrationFixture()
        func label(_ color: AttributeDescription) -> EntityDescription {
            EntityDescription(
                name: "Label", identity: ["name"], attributes: [.required("name"), color])
        }
        let list = EntityDescription.numbered(
            "List",
            relationships: [
                RelationshipDescription("labels", to: "Label", isToMany: true, key: "labels")
            ])
        try fixture.make(
            label(.required("color")), list,
            inserting: ["List": #"[{"id": 1, "labels": ["bug"]}]"#])
        try fixture.migrate(
            label(AttributeDescription("color", .string, key: nil, default: .string("red"))), list)
        #expect(
            try fixture.rows(#"SELECT name, color, "$reference" FROM Label"#) == ["bug|red|NULL"])
    }

    /// A file in which references hold the defaults of the day when they were made.
    private func makeOlder(_ fixture: MigrationFixture) throws {
        try fixture.make(
            user(Self.role, Self.note), issue,
            inserting: [
                "Issue": """
                [{"id": 1, "user": 7}, {"id": 2, "user": {"id": 8, "role": "owner"}},
                 {"id": 3, "user": {"id": 9, "login": "x"}}]
                """
            ])
        try fixture.connection.execute(
            """
            UPDATE User SET role = coalesce(role, 'member'), note = 'none'
            WHERE "$reference" IS NOT NULL;
            UPDATE User SET role = NULL, note = NULL WHERE id = 9;
            PRAGMA user_version = 2
            """)
    }

    private let migrated = ["7|NULL|NULL|1", "8|owner|NULL|1", "9|member|NULL|NULL"]
    private let all = #"SELECT id, role, note, "$reference" FROM User ORDER BY id"#

    @Test func `a file of an older layout loses those of its references`() throws {
        let fixture = try MigrationFixture()
        try makeOlder(fixture)
        try fixture.migrate(user(Self.role, Self.note), issue)
        #expect(try fixture.rows(all) == migrated)
        let model = try Model(name: "Test", entities: [user(Self.role, Self.note), issue])
        let store = try Store(at: fixture.path, model: model)
        #expect(try store.checkIntegrity().description == "ok")
    }

    @Test(arguments: [false, true])
    func `a rebuild of such a file does the same`(_ hasLostModel: Bool) throws {
        let fixture = try MigrationFixture()
        try makeOlder(fixture)
        if hasLostModel {
            try fixture.connection.execute(#"DELETE FROM "$store" WHERE key = 'model'"#)
        }
        let model = try Model(name: "Test", entities: [user(Self.role, Self.note), issue])
        let store = try Store.rebuild(at: fixture.path, model: model).store
        #expect(try fixture.rows(all) == migrated)
        #expect(try store.checkIntegrity().description == "ok")
    }

    @Test func `what an older layout has in references is nothing to be lost`() throws {
        let fixture = try MigrationFixture()
        try makeOlder(fixture)
        #expect(
            try fixture.refusal(user(Self.note), issue)
                == ["User.role: the attribute is removed with its values (2)"])
    }
}
