import Testing

@testable import LarderObjectStore

struct DependenciesTests {
    private let store: Store

    init() throws { store = try Comics.store() }

    private func dependencies(of sql: String) throws -> Dependencies {
        try store.writer.run { connection, _ in
            try connection.dependencies(of: sql, store.tableNames)
        }
    }

    private func dependencies<Object: Entity>(of query: Query<Object>) throws -> Dependencies {
        try store.read { snapshot in
            try snapshot.connection.recordingReads(store.tableNames) {
                _ = try snapshot.count(query)
            }.dependencies
        }
    }

    private func update(_ entity: String, _ columns: ColumnSet) throws -> Changes {
        var changes = Changes()
        let table = try #require(store.tableNames.number(named: entity))
        changes.noteUpdate(of: 1, in: table, columns: columns)
        return changes
    }

    private func insert(_ entity: String) throws -> Changes {
        var changes = Changes()
        let table = try #require(store.tableNames.number(named: entity))
        changes.noteOtherRow(1, in: table)
        return changes
    }

    private func links() throws -> Changes {
        var changes = Changes()
        changes.noteLinks(in: try #require(store.tableNames.number(named: "Hero.powers")))
        return changes
    }

    @Test func `are the columns that a statement reads`() throws {
        let read = try dependencies(of: "SELECT name FROM Hero WHERE strength > 1")
        #expect(try read.areAffected(by: update("Hero", [1])))
        #expect(try read.areAffected(by: update("Hero", [2, 3])))
        #expect(try !read.areAffected(by: update("Hero", [0, 2, 4, 5, 6])))
        #expect(try read.areAffected(by: insert("Hero")))
        #expect(try !read.areAffected(by: insert("Publisher")))
        #expect(try !read.areAffected(by: links()))
        #expect(read.areAffected(by: .everything))
        #expect(!read.areAffected(by: Changes()))
    }

    @Test func `counting rows reads no column`() throws {
        let read = try dependencies(of: "SELECT count(*) FROM Hero")
        #expect(try !read.areAffected(by: update("Hero", .all)))
        #expect(try read.areAffected(by: insert("Hero")))
    }

    @Test func `go through relationships`() throws {
        let read = try dependencies(of: Hero.where { $0.publisher.name == "P" })
        #expect(try read.areAffected(by: update("Publisher", [1])))
        #expect(try !read.areAffected(by: update("Publisher", [2])))
        #expect(try read.areAffected(by: update("Hero", [5])))
        #expect(try !read.areAffected(by: update("Hero", [3])))
    }

    @Test func `go through links, from both sides`() throws {
        #expect(try dependencies(of: Hero.where { $0.powers.count > 1 }).areAffected(by: links()))
        #expect(try dependencies(of: Power.where { $0.heroes.isEmpty }).areAffected(by: links()))
        let inverse = try dependencies(of: Publisher.where { $0.heroes.count > 1 })
        #expect(try inverse.areAffected(by: update("Hero", [5])))
        #expect(try !inverse.areAffected(by: update("Hero", [1])))
        #expect(try !inverse.areAffected(by: links()))
    }

    @Test func `lists of values are no table`() throws {
        let read = try dependencies(of: Hero.where { $0.id.isIn([1, 2, 3]) })
        #expect(try !read.areAffected(by: insert("Card")))
        #expect(try read.areAffected(by: insert("Hero")))
    }

    @Test func `a table that is none of the model's may depend on anything`() throws {
        try store.run("CREATE TABLE other (a)")
        #expect(try dependencies(of: "SELECT a FROM other").areAffected(by: insert("Card")))
        #expect(try !dependencies(of: "SELECT key FROM \"$store\"").areAffected(by: insert("Card")))
    }

    @Test func `statements that were prepared before are known too`() throws {
        let query = Hero.where { $0.strength > 1.0 }
        _ = try store.count(query)
        for _ in 0..<2 {
            let read = try dependencies(of: query)
            #expect(try read.areAffected(by: update("Hero", [3])))
            #expect(try !read.areAffected(by: update("Hero", [2])))
        }
    }

    @Test func `join`() throws {
        var read = try dependencies(of: "SELECT name FROM Hero")
        read.formUnion(try dependencies(of: "SELECT strength FROM Hero"))
        read.formUnion(try dependencies(of: "SELECT * FROM \"Hero.powers\""))
        #expect(try read.areAffected(by: update("Hero", [1])))
        #expect(try read.areAffected(by: update("Hero", [3])))
        #expect(try read.areAffected(by: links()))
        #expect(try !read.areAffected(by: update("Hero", [2])))
    }
}
