import Testing

@testable import LarderObjectStore

struct ChangeLogTests {
    private let store: Store
    private let names: TableNames
    private let recorder: ChangeRecorder

    init() throws {
        store = try Comics.store()
        names = TableNames(store.plan)
        recorder = ChangeRecorder(store)
        try insert(
            """
            {"id": 1, "name": "A", "strength": 1, "publisher": {"id": 1, "name": "P"},
             "powers": [{"id": "x", "name": "X"}, {"id": "y", "name": "Y"}]}
            """)
        try insert(#"{"id": 2, "name": "B", "mentor": 1, "powers": ["x"]}"#)
        _ = recorder.take()
    }

    private func insert(_ json: String) throws {
        let root = try JSONDocument(json).root
        try store.write { _ = try $0.map(root, as: "Hero") }
    }

    private func table(_ name: String, _ changes: Changes) -> Changes.Table? {
        names.number(named: name).flatMap { changes.tables[$0] }
    }

    private func hasLinks(_ changes: Changes) -> Bool {
        names.number(named: "Hero.powers").map(changes.links.contains) ?? false
    }

    /// What one transaction changes.
    private func changes(_ json: String) throws -> Changes {
        try insert(json)
        return recorder.take().first ?? Changes()
    }

    private func changes(sql: String...) throws -> Changes {
        try store.transaction { connection, _ in
            for statement in sql { try connection.execute(statement) }
        }
        return recorder.take().first ?? Changes()
    }

    // MARK: The mapper

    @Test func `an update is told with the columns that the JSON names`() throws {
        let changes = try changes(#"{"id": 1, "name": "Z", "strength": 1}"#)
        #expect(changes.tables.count == 1 && changes.links.isEmpty)
        let heroes = try #require(table("Hero", changes))
        #expect(heroes.sortedRows == [1])
        // What has a default may have been that of a reference, which lacks it.
        #expect(heroes.columns == [0, 1, 3, 4, EntityPlan.referenceNumber])
        #expect(!heroes.hasOtherRows)
    }

    @Test func `what stays as it is is not told`() throws {
        #expect(try changes(#"{"id": 1, "name": "A", "powers": ["x", "y"]}"#).isEmpty)
    }

    @Test func `an insert and its links are told`() throws {
        let changes = try changes(
            #"{"id": 3, "name": "C", "powers": [{"id": "x", "name": "X"}, {"id": "z", "name": "Z"}]}"#
        )
        #expect(table("Hero", changes)?.hasOtherRows == true)
        #expect(table("Hero", changes)?.sortedRows == [3])
        #expect(table("Power", changes)?.sortedRows == [3])
        #expect(hasLinks(changes))
        #expect(table("Publisher", changes) == nil)
    }

    @Test func `a reference that makes a row is an insert`() throws {
        let changes = try changes(#"{"id": 2, "publisher": 77}"#)
        #expect(table("Publisher", changes)?.sortedRows == [77])
        #expect(table("Publisher", changes)?.hasOtherRows == true)
        #expect(table("Hero", changes)?.columns == [0, 5])
    }

    @Test func `links alone are told without their objects`() throws {
        let changes = try changes(#"{"id": 1, "powers": ["y", "x"]}"#)
        #expect(hasLinks(changes))
        #expect(changes.tables.isEmpty)
    }

    @Test func `taking an object out of its owner's array updates one column`() throws {
        let root = try JSONDocument(#"{"id": 1, "heroes": []}"#).root
        try store.write { _ = try $0.map(root, as: "Publisher") }
        let changes = try #require(recorder.take().first)
        #expect(table("Hero", changes)?.sortedRows == [1])
        #expect(table("Hero", changes)?.columns == [5])
        #expect(table("Publisher", changes) == nil)
    }

    @Test func `a bare reference in its owner's array updates one column`() throws {
        let root = try JSONDocument(#"{"id": 1, "heroes": [1, 2]}"#).root
        try store.write { _ = try $0.map(root, as: "Publisher") }
        let changes = try #require(recorder.take().first)
        #expect(table("Hero", changes)?.sortedRows == [2])
        #expect(table("Hero", changes)?.columns == [5])
    }

    // MARK: Anybody else

    @Test func `an update that nobody notes is one of all columns`() throws {
        let changes = try changes(
            sql: "UPDATE Hero SET strength = 9 WHERE id = 1", "UPDATE Hero SET strength = 9")
        #expect(table("Hero", changes)?.sortedRows == [1, 2])
        #expect(table("Hero", changes)?.columns == .all)
    }

    @Test func `a note is only taken for what SQLite has reported`() throws {
        let hero = try store.plan.entity("Hero")
        try store.transaction { connection, statements in
            try connection.execute("UPDATE Hero SET strength = 5 WHERE id = 1")
            statements.changes.noteUpdate(of: 2, in: hero, columns: [1])
            try connection.execute("UPDATE Hero SET strength = 5 WHERE id = 7")
            statements.changes.noteUpdate(of: 7, in: hero, columns: [1])
        }
        let changes = try #require(recorder.take().first)
        #expect(table("Hero", changes)?.sortedRows == [1])
        #expect(table("Hero", changes)?.columns == .all)
    }

    @Test func `deleting tells of the rows that foreign keys empty and of links`() throws {
        let changes = try changes(sql: "DELETE FROM Hero WHERE id = 1")
        #expect(table("Hero", changes)?.sortedRows == [1, 2])
        #expect(table("Hero", changes)?.columns == .all)
        #expect(table("Hero", changes)?.hasOtherRows == true)
        #expect(hasLinks(changes))
    }

    @Test func `clearing a table is told where it is noted`() throws {
        try store.run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
        _ = recorder.take()
        let card = try store.plan.entity("Card")
        try store.transaction { connection, statements in
            try connection.execute("DELETE FROM Card")
            statements.changes.noteAll(of: card)
        }
        let changes = try #require(recorder.take().first)
        #expect(table("Card", changes)?.rows.rows == nil)
        #expect(table("Card", changes)?.hasOtherRows == true)
    }

    @Test func `a condition that is always true makes SQLite tell each row`() throws {
        try store.run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
        _ = recorder.take()
        #expect(table("Card", try changes(sql: "DELETE FROM Card WHERE true"))?.sortedRows == [1])
    }

    @Test func `a table that is none of the model's is passed over`() throws {
        let changes = try changes(
            sql: "CREATE TABLE other (a)", "INSERT INTO other VALUES (1)",
            "UPDATE Hero SET strength = 2 WHERE id = 1", "DELETE FROM other")
        #expect(changes.tables.count == 1)
        #expect(table("Hero", changes)?.sortedRows == [1])
    }

    @Test func `thousands of rows become the whole table`() throws {
        let changes = try changes(
            sql: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                INSERT INTO Card (suit, value) SELECT 'a', i FROM n
                """)
        let cards = try #require(table("Card", changes))
        #expect(cards.rows.rows == nil)
        #expect(cards.hasOtherRows)
    }

    @Test func `records nothing while nobody observes`() throws {
        let store = try Comics.store()
        try store.transaction { connection, statements in
            try connection.execute("INSERT INTO Card (suit, value) VALUES ('a', '1')")
            #expect(!statements.changes.isRecording)
        }
    }
}
