import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// What stays where objects are to go that others need.
struct DeletionSparingTests {
    @Test func `what others can't be without stays, other links are cleared`() throws {
        let all = Eviction(entity: "Note", by: "seen", keeping: 0)
        for isOptional in [false, true] {
            let store = try Notebook.store(
                [all],
                holder: RelationshipDescription(
                    "note", to: "Note", isOptional: isOptional, key: "note"))
            try Notebook.insert("Tag", #"[{"id": 1, "note": 9}]"#, into: store)
            try store.evict(at: Notebook.now)
            #expect(try Notebook.notes(in: store) == (isOptional ? [] : [9]))
            #expect(try store.checkIntegrity().isSound)
        }
    }

    @Test func `what denies its deletion stays`() throws {
        let all = Eviction(entity: "Note", by: "seen", keeping: 0)
        let many = try Notebook.store(
            [all],
            RelationshipDescription(
                "tags", to: "Tag", isToMany: true, key: "tags", deleteRule: .deny))
        try Notebook.insert("Note", #"[{"id": 3, "tags": [1]}, {"id": 4, "tags": []}]"#, into: many)
        try many.evict(at: Notebook.now)
        #expect(try Notebook.notes(in: many) == [3])
        let one = try Notebook.store(
            [all],
            RelationshipDescription(
                "tag", to: "Tag", isOptional: true, key: "tag", deleteRule: .deny))
        try Notebook.insert("Note", #"[{"id": 5, "tag": 1}]"#, into: one)
        try one.evict(at: Notebook.now)
        #expect(try Notebook.notes(in: one) == [5])
    }

    @Test func `an object stays where one that goes along can't go`() throws {
        var configuration = Store.Configuration()
        configuration.evictions = [Eviction(entity: "Note", by: "seen", keeping: 0)]
        let model = try Model(
            name: "Test",
            entities: [
                .numbered(
                    "Note", .optional("seen", .date),
                    relationships: [
                        RelationshipDescription(
                            "tags", to: "Tag", isToMany: true, key: "tags", deleteRule: .cascade)
                    ]),
                .numbered("Tag"),
                .numbered(
                    "Pin", relationships: [RelationshipDescription("tag", to: "Tag", key: "tag")]),
            ])
        let store = try Store.inMemory(model: model, configuration: configuration)
        // Note 1 stays for pin 9, and its tag 2 with it, which note 2 links alike.
        try Notebook.insert(
            "Note", #"[{"id": 1, "tags": [1, 2]}, {"id": 2, "tags": [2, 3]}, {"id": 3}]"#,
            into: store)
        try Notebook.insert("Pin", #"[{"id": 9, "tag": 1}]"#, into: store)
        #expect(try store.evict(at: Notebook.now) == ["Note": 2, "Tag": 2])
        #expect(try Notebook.notes(in: store) == [1])
        #expect(try store.evict(at: Notebook.now) == [:])
    }

    /// Each note takes its tag along, and each tag can't be without the next note, nor the first note go:
    /// the fate of one is known once that of the one before is.
    @Test(.timeLimit(.minutes(60)))
    func `a chain of thousands that hold each other takes no longer than they are many`() throws {
        var configuration = Store.Configuration()
        configuration.evictions = [Eviction(entity: "Note", by: "seen", keeping: 0)]
        let model = try Model(
            name: "Test",
            entities: [
                .numbered(
                    "Note", .optional("seen", .date),
                    relationships: [
                        RelationshipDescription(
                            "tag", to: "Tag", isOptional: true, key: "tag", deleteRule: .cascade)
                    ]),
                .numbered(
                    "Tag",
                    relationships: [RelationshipDescription("note", to: "Note", key: "note")]),
                .numbered(
                    "Pin", relationships: [RelationshipDescription("note", to: "Note", key: "note")]
                ),
            ])
        let store = try Store.inMemory(model: model, configuration: configuration)
        let count = 10_000
        let notes = (1...count).map { number in
            #"{"id": \#(number), "tag": {"id": \#(number), "note": \#(number + 1)}}"#
        }
        // The last is a note by itself, and so are three more, of which a pin holds none.
        let others = [count + 1, count + 2, count + 3].map { #"{"id": \#($0)}"# }
        try Notebook.insert(
            "Note", "[\((notes + others).joined(separator: ","))]", into: store)
        try Notebook.insert("Pin", #"[{"id": 1, "note": 1}]"#, into: store)
        #expect(try store.evict(at: Notebook.now) == ["Note": 2])
        #expect(try Notebook.notes(in: store) == Array(1...Int64(count + 1)))
        try store.withWriter { try $0.execute("DELETE FROM Pin") }
        #expect(try store.evict(at: Notebook.now) == ["Note": count + 1, "Tag": count])
    }

    @Test func `nothing goes where an object that stays would break a rule`() throws {
        var configuration = Store.Configuration()
        configuration.evictions = [Eviction(Ruled.self, by: "seen", keeping: 0)]
        let store = try Store.inMemory(
            entities: Ruled.self, Ruler.self, configuration: configuration)
        let json = #"{"id": 1, "ruled": {"id": 2, "seen": "1999-01-01T00:00:00Z"}}"#
        try store.import(Ruler.self, from: Data(json.utf8))
        #expect(throws: WritingError(entity: "Ruler", reason: .rule("has one"))) {
            try store.evict(at: Notebook.now)
        }
        #expect(try store.count(Ruled.all) == 1)
    }

    @Test(arguments: [DeleteRule.deny, .nullify])
    func `a long chain of what must stay takes one look`(_ rule: DeleteRule) throws {
        // Each note leads to the next, which was seen of late: it is denied, or can't be without it.
        var configuration = Store.Configuration()
        configuration.evictions = [Eviction(entity: "Note", by: "seen", keeping: 1)]
        let next = RelationshipDescription(
            rule == .deny ? "next" : "before", to: "Note", isOptional: rule == .deny, key: "next",
            deleteRule: rule)
        let model = try Model(
            name: "Test",
            entities: [.numbered("Note", .optional("seen", .date), relationships: [next])])
        let store = try Store.inMemory(model: model, configuration: configuration)
        let count = 300
        let notes = (1...count).map { number -> String in
            let date = Notebook.now.addingTimeInterval(Double(number)).ISO8601Format()
            let other = rule == .deny ? min(number + 1, count) : max(number - 1, 1)
            return #"{"id": \#(number), "seen": "\#(date)", "next": \#(other)}"#
        }
        try Notebook.insert("Note", "[\(notes.joined(separator: ", "))]", into: store)
        let before = try store.withWriter { sqlite3_total_changes64($0.pointer) }
        #expect(try store.evict(at: Notebook.now) == [:])
        let changes = try store.withWriter { sqlite3_total_changes64($0.pointer) } - before
        #expect(changes < 10 * count)
    }
}

@Entity struct Ruled {
    @Identity var id: Int
    var seen: Date
}

@Entity struct Ruler {
    @Identity var id: Int
    var ruled: One<Ruled>?

    static var rules: [Rule<Ruler>] { [Rule("has one") { $0.ruled != nil }] }
}
