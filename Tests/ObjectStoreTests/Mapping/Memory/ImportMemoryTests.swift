import Testing

@testable import LarderObjectStore

struct ImportMemoryTests {
    private let document: JSONDocument

    init() throws {
        document = try JSONDocument(
            #"[{"id": 1, "name": "one"}, {"id": 1, "name": "one"}, {"id": 1, "name": "two"}]"#)
    }

    private func memory(_ shortcuts: MapperShortcuts = .all) throws -> (ImportMemory, EntityPlan) {
        let model = try Model(
            name: "Test", entities: [.numbered("A", .optional("name")), .numbered("B")])
        var configuration = Store.Configuration()
        configuration.shortcuts = shortcuts
        let plan = try StorePlan(model, configuration: configuration)
        return (ImportMemory(plan: plan, size: 1_000), plan.entities[0])
    }

    /// What is answered of each of the document's objects once the first one has been written to row 1:
    /// by its words, and of row 1 whether it was written from them.
    private func answers(
        _ shortcuts: MapperShortcuts, then change: (ImportMemory, EntityPlan) -> Void = { _, _ in }
    ) throws -> [String] {
        let (memory, entity) = try memory(shortcuts)
        return document.withTape { tape in
            let first = tape.firstChild(0)
            let text = tape.containerText(first)
            memory.note(RowOutcome(row: 1, kind: .inserted), of: entity, from: .node(first))
            memory.remember(1, of: entity, saying: text)
            change(memory, entity)
            var answers: [String] = []
            var node = first
            while node < tape.next(0) {
                let text = tape.containerText(node)
                let row = memory.row(repeating: text, of: entity, in: tape)
                let isWritten = memory.isWritten(1, from: text, of: entity, in: tape)
                answers.append("\(row.map(String.init) ?? "-") \(isWritten ? "yes" : "no")")
                node = tape.next(node)
            }
            return answers
        }
    }

    @Test func `an object in the words that a row was written from is that row`() throws {
        #expect(try answers(.all) == ["1 yes", "1 yes", "- no"])
    }

    @Test func `without its shortcut nothing is answered`() throws {
        #expect(try answers([]) == ["- no", "- no", "- no"])
        #expect(try answers(.repeatedObjects) == ["1 no", "1 no", "- no"])
        #expect(try answers(.writtenTexts) == ["- yes", "- yes", "- no"])
    }

    @Test func `a row that something else was written to is not known by older words`() throws {
        let answers = try answers(.all) { memory, entity in
            memory.noteRelinked(1, of: entity)
        }
        #expect(answers == ["- no", "- no", "- no"])
    }

    @Test func `after a deletion nothing is known by words`() throws {
        let answers = try answers(.all) { memory, entity in
            memory.noteDeleted([9], of: entity)
            #expect(memory.hasDeleted)
            #expect(memory.deletedRows.map(\.row) == [9])
        }
        #expect(answers == ["- no", "- no", "- no"])
    }

    @Test func `a reference that made a row counts, one that found it does not`() throws {
        let (memory, entity) = try memory()
        memory.noteReference(RowOutcome(row: 1, kind: .inserted), to: entity)
        memory.noteReference(RowOutcome(row: 2, kind: .unchanged), to: entity)
        #expect(memory.report["A"] == .init(1))
        #expect(memory.isKnown(1, of: entity) && memory.isKnown(2, of: entity))
    }

    @Test func `an object that turns out more special is counted there, as inserted where it was`()
        throws
    {
        let (memory, entity) = try memory()
        let model = try Model(name: "Test", entities: [.numbered("A"), .numbered("B")])
        let other = try StorePlan(model).entities[1]
        memory.note(RowOutcome(row: 1, kind: .inserted), of: entity)
        memory.noteSettled(1, from: entity, to: other)
        memory.noteSettled(2, from: entity, to: other)
        memory.noteSettled(3, from: entity, to: entity)
        #expect(memory.report["A"] == .init())
        #expect(memory.report["B"] == .init(1, 1))
    }
}
