import Foundation
import Testing

@testable import LarderObjectStore

/// What becomes of the moments when objects were fetched, when a store gets another model.
struct MigratorFetchTimesTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private func entity(
        _ name: String = "A", identity: [String] = ["id"], fetchedAt: Bool = true,
        renamedFrom: String? = nil
    ) -> EntityDescription {
        EntityDescription(
            name: name, identity: identity,
            attributes: [
                AttributeDescription("id", .integer, key: "id"),
                AttributeDescription("code", .string, key: "code"),
            ], renamedFrom: renamedFrom, hasFetchedAt: fetchedAt)
    }

    private let json = """
        [{"id": 3, "code": "x"}, {"id": 5, "code": "y"}, {"id": 9, "code": "x"}]
        """

    /// Makes a store whose objects were fetched at the moments of their numbers.
    private func make(_ entity: EntityDescription) throws {
        try fixture.make(entity, inserting: [entity.name: json])
        guard entity.hasFetchedAt else { return }
        let plan = try StorePlan(Model(name: "Test", entities: [entity])).entity(entity.name)
        try fixture.connection.execute(
            "UPDATE \(plan.fetchTable) AS f SET at ="
                + " (SELECT t.id FROM \(plan.table) AS t WHERE t.\(plan.rowid) = f.row)")
    }

    /// The codes of objects and the moments when they were fetched.
    private func times(_ name: String = "A", row: String = "id") throws -> [String] {
        try fixture.rows(
            "SELECT t.code, f.at FROM \(name.sqlName) AS t"
                + " LEFT JOIN \("\(name).$fetched".sqlName) AS f ON f.row = t.\(row.sqlName)"
                + " ORDER BY 1, 2")
    }

    @Test func `what is switched on knows nothing of what is there`() throws {
        try make(entity(fetchedAt: false))
        try fixture.migrate(entity())
        #expect(try times() == ["x|NULL", "x|NULL", "y|NULL"])
    }

    @Test func `what is switched off is dropped, which is no loss`() throws {
        try make(entity())
        try fixture.migrate(entity(fetchedAt: false))
        #expect(
            try fixture.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%fetched%'") == [])
        let plan = MigrationPlan(
            from: try Model(name: "Test", entities: [entity()]),
            to: try Model(name: "Test", entities: [entity(fetchedAt: false)]))
        #expect(plan.description == "change A: fetched at")
    }

    @Test func `who takes another's name takes neither its moments nor what is kept of its rows`()
        throws
    {
        try fixture.make(
            entity(), entity("B", fetchedAt: false),
            inserting: ["A": json, "B": #"[{"id": 3, "code": "z"}]"#])
        let plan = try StorePlan(Model(name: "Test", entities: [entity()])).entity("A")
        try fixture.connection.execute("UPDATE \(plan.fetchTable) SET at = 1")
        try fixture.connection.execute(
            "CREATE TABLE \(Schema.keptResponses.sqlName) (id INTEGER PRIMARY KEY)")
        try fixture.connection.execute(
            "INSERT INTO \(Schema.keptResponses.sqlName) VALUES (1)")
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(entity(renamedFrom: "B"), options: options)
        #expect(try times() == ["z|NULL"])
        #expect(
            try fixture.rows("SELECT count(*) FROM \(Schema.keptResponses.sqlName)") == ["0"])
    }

    @Test func `it stays where other things change`() throws {
        try make(entity())
        var changed = entity()
        changed.attributes.append(
            AttributeDescription("more", .string, key: "more", default: .string("")))
        try fixture.migrate(changed)
        #expect(try times() == ["x|3.0", "x|9.0", "y|5.0"])
        changed.attributes[2].type = .integer
        changed.attributes[2].defaultValue = .integer(1)
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(changed, options: options)
        #expect(try times() == ["x|3.0", "x|9.0", "y|5.0"])
    }

    @Test func `it goes along with an entity that is renamed`() throws {
        try make(entity())
        try fixture.migrate(entity("B", renamedFrom: "A"))
        #expect(try times("B") == ["x|3.0", "x|9.0", "y|5.0"])
    }

    @Test func `it follows objects whose rows get other numbers, of several the last`() throws {
        try make(entity())
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(entity(identity: ["code"]), options: options)
        #expect(try times(row: "$id") == ["x|9.0", "y|5.0"])
        #expect(try fixture.rows("SELECT count(*) FROM \("A.$fetched".sqlName)") == ["2"])
    }

    @Test func `a rebuilt store has what could be read of it`() throws {
        try make(entity())
        let model = try Model(name: "Test", entities: [entity()])
        _ = try Store.rebuild(at: fixture.path, model: model)
        #expect(try times() == ["x|3.0", "x|9.0", "y|5.0"])
    }

    @Test func `it stays with objects whose entity gets a parent`() throws {
        try make(entity("Text"))
        try fixture.migrate(
            EntityDescription(
                name: "Message", isAbstract: true, identity: ["id"],
                attributes: [AttributeDescription("id", .integer, key: "id")]),
            EntityDescription(
                name: "Text", parent: "Message",
                attributes: [AttributeDescription("code", .string, key: "code")],
                hasFetchedAt: true))
        #expect(try times("Message") == ["x|3.0", "x|9.0", "y|5.0"])
    }
}
