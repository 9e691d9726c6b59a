import Foundation
import Testing

@testable import LarderObjectStore

/// Swift types that take fewer values than those that the store was written with.
struct ValueNarrowingTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private func note(
        _ allowed: AllowedValues, _ type: AttributeType = .string, isOptional: Bool = false,
        default value: DefaultValue? = nil, name: String = "state", renamedFrom: String? = nil
    ) -> EntityDescription {
        var attribute = AttributeDescription(
            name, type, isOptional: isOptional, key: name, default: value,
            renamedFrom: renamedFrom)
        attribute.allowedValues = allowed
        return .numbered("Note", attribute)
    }

    private func states(_ names: String...) -> AllowedValues { .list(names.map(SQLValue.text)) }

    private static let notes = """
        [{"id": 1, "state": "open"}, {"id": 2, "state": "shut"}, {"id": 3, "state": "shut"}]
        """

    @Test func `values that an enum does not have are counted, and nothing changes`() throws {
        try fixture.make(note(.all), inserting: ["Note": Self.notes])
        #expect(
            try fixture.refusal(note(states("open"))) == [
                "Note.state: values that the new type can't hold unchanged (2)",
                "Note.state: objects without what is required now (2)",
            ])
        try fixture.migrate(note(.all))
    }

    @Test func `narrower types open where all values fit`() throws {
        try fixture.make(note(.all), inserting: ["Note": Self.notes])
        let before = try fixture.connection.number("PRAGMA schema_version")
        try fixture.migrate(note(states("open", "shut")))
        try fixture.migrate(note(states("shut", "open", "new")))
        #expect(try fixture.connection.number("PRAGMA schema_version") == before)
    }

    @Test func `a case less is noticed as well`() throws {
        try fixture.make(note(states("open", "shut", "new")), inserting: ["Note": Self.notes])
        try fixture.migrate(note(states("open", "shut")))
        #expect(try fixture.refusal(note(states("shut", "new"))).count == 2)
    }

    @Test func `what may be lost is empty, or the default`() throws {
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Note", "state")]
        try fixture.make(note(.all, isOptional: true), inserting: ["Note": Self.notes])
        try fixture.migrate(note(states("open", "new"), isOptional: true), options: options)
        #expect(
            try fixture.rows("SELECT id, state FROM Note ORDER BY id") == [
                "1|open", "2|NULL", "3|NULL",
            ])
        try fixture.migrate(note(states("new"), default: .string("new")), options: options)
        #expect(
            try fixture.rows("SELECT id, state FROM Note ORDER BY id") == [
                "1|new", "2|new", "3|new",
            ])
    }

    @Test func `objects that lose what is required are references`() throws {
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Note", "state")]
        try fixture.make(note(.all), inserting: ["Note": Self.notes])
        try fixture.migrate(note(states("open")), options: options)
        let store = try Store(
            at: fixture.path, model: Model(name: "Test", entities: [note(states("open"))]))
        #expect(try store.read { try $0.count(DynamicQuery("Note")) } == 1)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `so are those whose value has no like in another type`() throws {
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Note", "state")]
        try fixture.make(note(.all), inserting: ["Note": Self.notes])
        try fixture.migrate(note(.all, .integer), options: options)
        let store = try Store(
            at: fixture.path, model: Model(name: "Test", entities: [note(.all, .integer)]))
        #expect(try store.read { try $0.count(DynamicQuery("Note")) } == 0)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `a step may mend the values`() throws {
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                try context.execute("UPDATE Note SET state = 'open' WHERE state = 'shut'")
            }
        ]
        try fixture.make(note(.all), inserting: ["Note": Self.notes])
        try fixture.migrate(note(states("open")), options: options)
        #expect(try fixture.rows("SELECT DISTINCT state FROM Note") == ["open"])
    }

    @Test func `a step can't set what the attribute does not take`() throws {
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1, resolving: [.attribute("Note.state")]) { context in
                try context.map("Note") { _, new in try new.set("state", "weird") }
            }
        ]
        try fixture.make(note(.all), inserting: ["Note": Self.notes])
        let error = #expect(throws: StoreError.self) {
            try fixture.migrate(note(states("open")), options: options)
        }
        #expect(error?.reason == .unexpectedValue)
        #expect(error?.message.contains("expected one of open") == true)
        try fixture.migrate(note(.all))
    }

    @Test func `a step's numbers are kept in the attribute's precision`() throws {
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                try context.map("Note") { _, new in try new.set("state", 0.1) }
            }
        ]
        try fixture.make(note(.singles, .double), inserting: ["Note": #"[{"id": 1, "state": 1}]"#])
        try fixture.migrate(note(.singles, .double), options: options)
        #expect(try fixture.rows("SELECT state FROM Note") == ["\(Double(Float(0.1)))"])
    }

    @Test func `values of a renamed attribute and of another type are looked at`() throws {
        let json = #"[{"id": 1, "state": "7"}, {"id": 2, "state": "300"}]"#
        try fixture.make(note(.all), inserting: ["Note": json])
        let losses = try fixture.refusal(
            note(.integers(0...255), .integer, name: "level", renamedFrom: "state"))
        #expect(
            losses == [
                "Note.level: values that the new type can't hold unchanged (1)",
                "Note.level: objects without what is required now (1)",
            ])
        try fixture.migrate(
            note(.integers(0...300), .integer, name: "level", renamedFrom: "state"))
        #expect(
            try fixture.refusal(note(.integers(0...255), .integer, name: "level")).count == 2)
    }

    @Test func `numbers that single precision does not have are counted`() throws {
        let json = #"[{"id": 1, "state": 0.1}, {"id": 2, "state": 0.5}]"#
        try fixture.make(note(.all, .double), inserting: ["Note": json])
        #expect(
            try fixture.refusal(note(.singles, .double)) == [
                "Note.state: values that the new type can't hold unchanged (1)"
            ])
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Note", "state")]
        try fixture.migrate(note(.singles, .double), options: options)
        #expect(
            try fixture.rows("SELECT state FROM Note ORDER BY id") == [
                "\(Double(Float(0.1)))", "0.5",
            ])
    }

    /// Any text, of which a Swift type knows but the lower-case letters.
    private static let lowercase: AllowedValues = {
        var values = AllowedValues.those("a word") { $0 != .text("") }
        values.spelling = { if case .text(let text) = $0 { .text(text.lowercased()) } else { nil } }
        return values
    }()

    @Test func `what the new type spells otherwise is kept as it writes it, and is no loss`() throws
    {
        let json = #"[{"id": 1, "state": "Open"}, {"id": 2, "state": "open"}]"#
        try fixture.make(note(.all), inserting: ["Note": json])
        try fixture.migrate(note(Self.lowercase))
        #expect(try fixture.rows("SELECT DISTINCT state FROM Note") == ["open"])
        // What was kept otherwise later on is found with the next version.
        try fixture.connection.execute("UPDATE Note SET state = 'OPEN' WHERE id = 1")
        let model = try Model(name: "Test", entities: [note(Self.lowercase)])
        do {
            let store = try Store(at: fixture.path, model: model)
            #expect(
                try store.checkIntegrity().problems == [
                    .unfit(entity: "Note", attribute: "state", count: 1)
                ])
        }
        var options = MigrationOptions()
        options.version = 1
        try fixture.migrate(note(Self.lowercase), options: options)
        #expect(try fixture.rows("SELECT DISTINCT state FROM Note") == ["open"])
        try fixture.connection.execute("UPDATE Note SET state = '' WHERE id = 1")
        options.version = 2
        #expect(try fixture.refusal(note(Self.lowercase), options: options).count == 2)
    }

    /// Bytes without zeros behind them, and moments of whole seconds.
    private struct Bits: AttributeValue {
        static let attributeType = AttributeType.data
        static let allowedValues = AllowedValues.spelled(by: Self.self)
        let bytes: [UInt8]

        init?(sqlValue: SQLValue) {
            guard case .blob(let bytes) = sqlValue else { return nil }
            self.bytes = Array(bytes.prefix { $0 != 0 })
        }

        var sqlValue: SQLValue { .blob(bytes) }
    }

    private struct Second: AttributeValue {
        static let attributeType = AttributeType.date
        static let allowedValues = AllowedValues.spelled(by: Self.self)
        let number: Int64

        init?(sqlValue: SQLValue) {
            switch sqlValue {
            case .real(let seconds): number = Int64(seconds)
            case .integer(let seconds): number = seconds
            default: return nil
            }
        }

        var sqlValue: SQLValue { .integer(number) }
    }

    @Test func `bytes and numbers are kept in another spelling, too`() throws {
        func check(_ type: AttributeType, _ values: AllowedValues, _ text: String) throws {
            try fixture.migrate(note(values, type, isOptional: true))
            #expect(try fixture.rows("SELECT quote(state) FROM Note") == [text])
            let model = try Model(name: "Test", entities: [note(values, type, isOptional: true)])
            #expect(try Store(at: fixture.path, model: model).checkIntegrity().isSound)
        }
        try fixture.make(
            note(.all, .data, isOptional: true),
            inserting: ["Note": #"[{"id": 1, "state": "AQIAAA=="}]"#])
        try check(.data, Bits.allowedValues, "X'0102'")
        let other = try MigrationFixture()
        try other.make(
            note(.all, .date, isOptional: true),
            inserting: ["Note": #"[{"id": 1, "state": "2001-01-01T00:00:01.5Z"}]"#])
        try other.migrate(note(Second.allowedValues, .date, isOptional: true))
        #expect(try other.rows("SELECT CAST(state AS TEXT) FROM Note") == ["1.0"])
        let model = try Model(
            name: "Test", entities: [note(Second.allowedValues, .date, isOptional: true)])
        #expect(try Store(at: other.path, model: model).checkIntegrity().isSound)
    }

    @Test func `so are identities, of which some become one`() throws {
        let before = EntityDescription(
            name: "Tag", identity: ["name"], attributes: [.required("name")])
        try fixture.make(
            before, inserting: ["Tag": #"[{"name": "A"}, {"name": "b"}, {"name": "B"}]"#])
        var after = before
        after.attributes[0].allowedValues = Self.lowercase
        let losses = try fixture.refusal(after)
        #expect(losses.count == 1 && losses[0].contains("(1)"))
        var options = MigrationOptions()
        options.allowedLosses = [.entity("Tag")]
        try fixture.migrate(after, options: options)
        #expect(try fixture.rows("SELECT name FROM Tag ORDER BY name") == ["a", "b"])
    }

    @Test func `with a new version all values are looked at`() throws {
        let lenient = AllowedValues.those("a state") { _ in true }
        let strict = AllowedValues.those("a state") { $0 == .text("open") }
        try fixture.make(note(lenient), inserting: ["Note": Self.notes])
        // What a closure takes can only be told by what it is called.
        #expect(try fixture.refusal(note(strict)) == [])
        var options = MigrationOptions()
        options.version = 1
        #expect(try fixture.refusal(note(strict), options: options).count == 2)
    }

    @Test func `a narrowed identity leaves no object without one`() throws {
        let before = EntityDescription(
            name: "Tag", identity: ["name"], attributes: [.required("name")])
        try fixture.make(before, inserting: ["Tag": #"[{"name": "a"}, {"name": "b"}]"#])
        var after = before
        after.attributes[0].allowedValues = states("a")
        #expect(try !fixture.refusal(after).isEmpty)
    }
}
