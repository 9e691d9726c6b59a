import Foundation
import Testing

@testable import LarderObjectStore

/// Changes of attributes and entities that lose nothing, and what becomes of the objects.
struct MigratorTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private let notes = #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#

    @Test func `a new entity gets its table`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        try fixture.migrate(.numbered("Note", .required("text")), .numbered("Tag"))
        #expect(try fixture.rows("SELECT id, text FROM Note") == ["1|a", "2|b"])
        #expect(try fixture.rows("SELECT count(*) FROM Tag") == ["0"])
    }

    @Test func `a new optional attribute is empty, one with a default has it`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        var stars = AttributeDescription.required("stars", .integer)
        stars.defaultValue = .integer(3)
        try fixture.migrate(.numbered("Note", .optional("about"), .required("text"), stars))
        #expect(
            try fixture.rows("SELECT id, text, about, stars FROM Note") == [
                "1|a|NULL|3", "2|b|NULL|3",
            ])
    }

    @Test func `columns are added where that is enough`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        let root = try fixture.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'Note'")
        try fixture.migrate(.numbered("Note", .required("text"), .optional("about")))
        #expect(try fixture.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'Note'") == root)
    }

    @Test func `a default that no column can be added with makes a new table`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        var mark = AttributeDescription.required("mark")
        mark.defaultValue = .string("a\0b")
        try fixture.migrate(.numbered("Note", .required("text"), mark))
        #expect(
            try fixture.rows("SELECT id, text, hex(mark) FROM Note") == [
                "1|a|610062", "2|b|610062",
            ])
    }

    @Test func `a new required attribute asks for values unless there are no objects`() throws {
        try fixture.make(.numbered("Note", .required("text")))
        try fixture.migrate(.numbered("Note", .required("text"), .required("title")))
        try fixture.make(
            .numbered("Note", .required("text"), .required("title")),
            inserting: ["Note": #"[{"id": 1, "text": "a", "title": "t"}, 2]"#])
        // The object that is known by a reference only lacks everything and loses nothing.
        #expect(
            try fixture.refusal(
                .numbered("Note", .required("text"), .required("title"), .required("more")))
                == ["Note.more: objects without what is required now (1)"])
    }

    @Test func `an index comes and goes`() throws {
        var text = AttributeDescription.required("text")
        try fixture.make(.numbered("Note", text), inserting: ["Note": notes])
        text.isIndexed = true
        try fixture.migrate(.numbered("Note", text))
        text.isIndexed = false
        try fixture.migrate(.numbered("Note", text))
        #expect(try fixture.rows("SELECT count(*) FROM Note") == ["2"])
    }

    @Test func `keys and transformers change without touching a table`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        var text = AttributeDescription.required("text", .string, .string)
        text.key = "content.text"
        try fixture.migrate(.numbered("Note", text))
        #expect(try fixture.rows("SELECT id, text FROM Note") == ["1|a", "2|b"])
    }

    @Test func `an attribute that may be empty from now on keeps its values`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        try fixture.migrate(.numbered("Note", .optional("text")))
        #expect(try fixture.rows("SELECT id, text FROM Note") == ["1|a", "2|b"])
    }

    @Test func `an attribute that must have a value takes its default`() throws {
        try fixture.make(
            .numbered("Note", .optional("text")),
            inserting: ["Note": #"[{"id": 1, "text": "a"}, {"id": 2}]"#])
        var text = AttributeDescription.required("text")
        text.defaultValue = .string("none")
        try fixture.migrate(.numbered("Note", text))
        #expect(try fixture.rows("SELECT id, text FROM Note") == ["1|a", "2|none"])
    }

    @Test func `a default changes for new objects alone`() throws {
        var stars = AttributeDescription.required("stars", .integer)
        stars.defaultValue = .integer(3)
        try fixture.make(.numbered("Note", stars), inserting: ["Note": #"[{"id": 1}]"#])
        stars.defaultValue = .integer(5)
        try fixture.migrate(.numbered("Note", stars))
        try fixture.make(.numbered("Note", stars), inserting: ["Note": #"[{"id": 2}]"#])
        #expect(try fixture.rows("SELECT id, stars FROM Note") == ["1|3", "2|5"])
    }

    @Test func `entities and attributes take another name`() throws {
        var text = AttributeDescription.required("text")
        text.isIndexed = true
        try fixture.make(.numbered("Note", text), inserting: ["Note": notes])
        var body = AttributeDescription.required("body")
        body.renamedFrom = "text"
        body.isIndexed = true
        var memo = EntityDescription.numbered("Memo", body)
        memo.renamedFrom = "Note"
        try fixture.migrate(memo)
        #expect(try fixture.rows("SELECT id, body FROM Memo") == ["1|a", "2|b"])
    }

    @Test func `a name that is left over from an earlier migration means nothing`() throws {
        var body = AttributeDescription.required("body")
        body.renamedFrom = "text"
        try fixture.make(
            .numbered("Note", .optional("text"), body),
            inserting: ["Note": #"[{"id": 1, "text": "a", "body": "b"}]"#])
        try fixture.migrate(.numbered("Note", .optional("text"), body, .optional("more")))
        #expect(try fixture.rows("SELECT id, text, body FROM Note") == ["1|a|b"])
    }

    @Test func `names may change their case and be exchanged in steps`() throws {
        try fixture.make(.numbered("note", .required("text")), inserting: ["note": notes])
        var note = EntityDescription.numbered("Note", .required("text"))
        note.renamedFrom = "note"
        try fixture.migrate(note)
        #expect(try fixture.rows("SELECT id, text FROM Note") == ["1|a", "2|b"])
    }

    @Test func `a name of SQL is a name`() throws {
        let name = #"select "x" from"#
        try fixture.make(
            .numbered(name, .required("order by")),
            inserting: [name: #"[{"id": 1, "order by": "a"}]"#])
        var group = AttributeDescription.required("group\"by")
        group.renamedFrom = "order by"
        try fixture.migrate(.numbered(name, group))
        #expect(
            try fixture.rows("SELECT id, \("group\"by".sqlName) FROM \(name.sqlName)") == ["1|a"])
    }

    @Test func `values are converted where they stay the same`() throws {
        try fixture.make(
            .numbered("Note", .optional("a", .integer), .optional("b"), .optional("c", .boolean)),
            inserting: ["Note": #"[{"id": 1, "a": 5, "b": "0.5", "c": true}, {"id": 2}]"#])
        try fixture.migrate(
            .numbered(
                "Note", .optional("a", .double), .optional("b", .decimal), .optional("c", .integer))
        )
        #expect(
            try fixture.rows("SELECT id, a, b, c FROM Note") == ["1|5.0|0.5|1", "2|NULL|NULL|NULL"])
    }

    @Test func `many objects report their progress and arrive`() throws {
        let json = (1...25_000).map { #"{"id": \#($0), "text": "t\#($0)"}"# }.joined(separator: ",")
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": "[\(json)]"])
        let seen = Seen()
        var options = MigrationOptions()
        options.progress = { seen.append($0) }
        var note = EntityDescription.numbered("Memo", .required("text"))
        note.renamedFrom = "Note"
        try fixture.migrate(note, options: options)
        #expect(
            try fixture.rows("SELECT count(*), min(text), max(text) FROM Memo") == [
                "25000|t1|t9999"
            ])
        #expect(seen.all.map(\.completed) == [10_000, 20_000, 25_000])
        #expect(seen.all.allSatisfy { $0.total == 25_000 && $0.entity == "Memo" })
    }

    @Test func `the store goes on working atEnd`() throws {
        try fixture.make(.numbered("Note", .required("text")), inserting: ["Note": notes])
        let model = try Model(
            name: "Test", entities: [.numbered("Note", .required("text"), .optional("about"))])
        let store = try Store(at: fixture.path, model: model)
        let report = try store.write { context in
            _ = try context.mapElements(
                of: JSONDocument(#"[{"id": 1, "about": "x"}, {"id": 3, "text": "c"}]"#).root,
                as: "Note")
            return context.report
        }
        #expect(report["Note"] == .init(1, 1, 0))
        #expect(
            try fixture.rows("SELECT id, text, about FROM Note") == [
                "1|a|x", "2|b|NULL", "3|c|NULL",
            ])
    }

    @Test func `foreign keys are enforced atEnd`() throws {
        try fixture.make(.numbered("Note", .required("text")))
        let plan = try StorePlan(Model(name: "Test", entities: [.numbered("Note")]))
        let connection = try StoreFile(path: fixture.path).open(for: plan).connection
        #expect(try connection.value("PRAGMA foreign_keys") == .integer(1))
    }
}

/// What a closure has been called with.
final class Seen: @unchecked Sendable {
    // Unchecked because `values` is only touched under the lock.
    private let lock = NSLock()
    private var values: [MigrationProgress] = []

    func append(_ value: MigrationProgress) { lock.withLock { values.append(value) } }
    var all: [MigrationProgress] { lock.withLock { values } }
}
