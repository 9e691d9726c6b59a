import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// The number of a row names one object for as long as the store lives.
struct RowNumbersTests {
    private static let user = EntityDescription(
        name: "User", identity: ["login"],
        attributes: [.required("login"), .optional("age", .integer)])
    private static let line = EntityDescription(
        name: "Line", identity: [], attributes: [.required("login"), .optional("age", .integer)])
    private static let family = [
        EntityDescription(
            name: "Being", isAbstract: true, identity: ["login"], attributes: [.required("login")]),
        EntityDescription(
            name: "Person", parent: "Being", attributes: [.optional("age", .integer)]),
    ]

    private static func entities(_ name: String) -> [EntityDescription] {
        switch name {
        case "User": [user]
        case "Line": [line]
        default: family
        }
    }

    private func fixture(_ name: String) throws -> StoreFixture {
        try StoreFixture(Model(name: "Test", entities: Self.entities(name)))
    }

    private func insert(_ logins: String..., as name: String, into fixture: StoreFixture) throws {
        let objects = logins.map { #"{"login": "\#($0)"}"# }
        try fixture.insert(name, "[\(objects.joined(separator: ", "))]")
    }

    @discardableResult
    private func delete(_ condition: String, of name: String, from store: Store) throws -> Int {
        try store.write { try $0.delete(DynamicQuery(name).where(condition)) }
    }

    private func numbers(_ name: String, _ fixture: StoreFixture) throws -> [String] {
        let table = name == "Person" ? "Being" : name
        return try fixture.rows("SELECT login, \"$id\" FROM \(table) ORDER BY 2")
    }

    @Test(arguments: ["User", "Line", "Person"])
    func `the numbers of rows are not used again whose commit has failed`(_ name: String) throws {
        let fixture = try fixture(name)
        try insert("a", as: name, into: fixture)
        let error = #expect(throws: StoreError.self) {
            try fixture.store.write { context in
                let rows = try JSONDocument(#"[{"login": "b"}, {"login": "c"}]"#).root
                #expect(try context.mapElements(of: rows, as: name) == [2, 3])
                sqlite3_commit_hook(context.connection.pointer, { _ in 1 }, nil)
            }
        }
        #expect(error?.reason == .constraint)
        try fixture.store.withWriter { _ = sqlite3_commit_hook($0.pointer, nil, nil) }
        try insert("d", as: name, into: fixture)
        #expect(try !numbers(name, fixture).contains { $0 == "d|2" || $0 == "d|3" })
    }

    @Test(arguments: ["User", "Line", "Person"])
    func `the numbers of the newest objects are not used again`(_ name: String) throws {
        let fixture = try fixture(name)
        try insert("a", "b", "c", as: name, into: fixture)
        #expect(try delete("login != 'a'", of: name, from: fixture.store) == 2)
        try insert("d", "e", as: name, into: fixture)
        #expect(try numbers(name, fixture) == ["a|1", "d|4", "e|5"])
        try delete("login != ''", of: name, from: fixture.store)
        try insert("f", as: name, into: fixture)
        try delete("login = 'f'", of: name, from: fixture.store)
        try insert("g", "a", as: name, into: fixture)
        #expect(try numbers(name, fixture) == ["g|7", "a|8"])
    }

    @Test(arguments: ["User", "Line", "Person"])
    func `nor within a transaction, nor after one that was rolled back`(_ name: String) throws {
        let fixture = try fixture(name)
        try insert("a", "b", as: name, into: fixture)
        struct Stop: Error {}
        try fixture.store.write { context in
            try context.delete(DynamicQuery(name).where("login = 'b'"))
            for login in ["c", "d"] {
                try? context.savepoint {
                    let root = try JSONDocument(#"{"login": "\#(login)"}"#).root
                    _ = try context.import(name, from: root)
                    if login == "c" { throw Stop() }
                }
            }
            try context.delete(DynamicQuery(name).where("login = 'd'"))
            _ = try context.import(name, from: JSONDocument(#"{"login": "e"}"#).root)
        }
        #expect(try numbers(name, fixture) == ["a|1", "e|5"])
        #expect(throws: Stop.self) {
            try fixture.store.write { context in
                try context.delete(DynamicQuery(name).where("login = 'e'"))
                throw Stop()
            }
        }
        try insert("f", as: name, into: fixture)
        #expect(try numbers(name, fixture) == ["a|1", "e|5", "f|6"])
        #expect(throws: Stop.self) {
            try fixture.store.write { context in
                _ = try context.import(name, from: JSONDocument(#"{"login": "g"}"#).root)
                throw Stop()
            }
        }
        try insert("h", as: name, into: fixture)
        #expect(try numbers(name, fixture) == ["a|1", "e|5", "f|6", "h|8"])
    }

    @Test(arguments: ["User", "Line", "Person"])
    func `nor after the store was opened again, vacuumed, copied or rebuilt`(_ name: String) throws
    {
        let fixture = try fixture(name)
        let model = fixture.store.plan.model
        try insert("a", "b", as: name, into: fixture)
        try delete("login = 'b'", of: name, from: fixture.store)
        try fixture.store.vacuum()
        let copy = fixture.folder.file("copy.sqlite")
        try fixture.store.backUp(to: URL(filePath: copy))
        try fixture.store.close()
        let (rebuilt, _) = try Store.rebuild(at: fixture.path, model: model)
        for store in [rebuilt, try Store(at: copy, model: model)] {
            _ = try store.write {
                try $0.import(name, from: JSONDocument(#"{"login": "c"}"#).root)
            }
            let table = name == "Person" ? "Being" : name
            #expect(
                try store.withWriter { try $0.number("SELECT max(\"$id\") FROM \(table)") } == 3)
        }
    }

    @Test func `nor by another connection to the file`() throws {
        let fixture = try fixture("User")
        try insert("a", "b", as: "User", into: fixture)
        let other = try Store(at: fixture.path, model: fixture.store.plan.model)
        try delete("login = 'b'", of: "User", from: other)
        try insert("c", as: "User", into: fixture)
        #expect(try numbers("User", fixture) == ["a|1", "c|3"])
    }

    @Test func `nor after a migration`() throws {
        let fixture = try MigrationFixture()
        try fixture.make(Self.user, inserting: ["User": #"[{"login": "a"}, {"login": "b"}]"#])
        do {
            let store = try Store(
                at: fixture.path, model: Model(name: "Test", entities: [Self.user]))
            try delete("login = 'b'", of: "User", from: store)
        }
        let renamed = EntityDescription(
            name: "Member", identity: ["login"],
            attributes: [.required("login"), .optional("age", .string)],
            renamedFrom: "User")
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(renamed, options: options)
        try fixture.make(renamed, inserting: ["Member": #"[{"login": "c"}]"#])
        #expect(
            try fixture.connection.number("SELECT \"$id\" FROM Member WHERE login = 'c'") == 3)
    }

    @Test func `a reference gets a number of its own too`() throws {
        let fixture = try StoreFixture(
            Self.user,
            .numbered(
                "Issue",
                relationships: [
                    RelationshipDescription("user", to: "User", isOptional: true, key: "user")
                ]))
        try fixture.insert("Issue", #"{"id": 1, "user": {"login": "ann"}}"#)
        try delete("login = 'ann'", of: "User", from: fixture.store)
        try fixture.insert("Issue", #"{"id": 1, "user": "bob"}"#)
        #expect(try fixture.rows("SELECT \"$id\", login FROM User") == ["2|bob"])
    }

    @Test func `an object that is identified by its number comes again under it`() throws {
        let fixture = try StoreFixture(.numbered("Thing"))
        try fixture.insert("Thing", "[{\"id\": 6}, {\"id\": 7}]")
        try fixture.store.write { try $0.delete(DynamicQuery("Thing").where("id = 7")) }
        try fixture.insert("Thing", #"{"id": 7}"#)
        #expect(try fixture.rows("SELECT id FROM Thing ORDER BY id") == ["6", "7"])
        #expect(try fixture.rows("SELECT count(*) FROM \"$numbers\"") == ["0"])
    }
}
