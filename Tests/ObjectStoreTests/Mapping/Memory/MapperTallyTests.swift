import Testing

@testable import LarderObjectStore

struct MapperTallyTests {
    private typealias Kind = RowOutcome.Kind

    @Test(
        arguments: [
            ([Kind.inserted], ImportReport.Counts(1)), ([.updated], .init(0, 1)),
            ([.unchanged], .init(0, 0, 1)), ([.inserted, .updated], .init(1)),
            ([.inserted, .unchanged], .init(1)), ([.unchanged, .updated], .init(0, 1)),
            ([.updated, .unchanged], .init(0, 1)), ([.unchanged, .unchanged], .init(0, 0, 1)),
            ([.unchanged, .updated, .unchanged, .updated], .init(0, 1)),
        ] as [([RowOutcome.Kind], ImportReport.Counts)])
    func `counts an object once, as what says most`(
        _ kinds: [RowOutcome.Kind], _ expected: ImportReport.Counts
    ) {
        let tally = MapperTally()
        for (node, kind) in kinds.enumerated() {
            tally.note(RowOutcome(row: 7, kind: kind), from: .node(node))
        }
        #expect(tally.counts == expected)
        #expect(tally.source(of: 7) == .node(kinds.count - 1))
        #expect(tally.isKnown(7))
    }

    @Test func `a reference is known and not counted`() {
        let tally = MapperTally()
        tally.noteReference(1)
        #expect(tally.isKnown(1))
        #expect(!tally.isKnown(2))
        #expect(tally.source(of: 1) == RowSource.none)
        #expect(tally.counts == .init())
        tally.note(RowOutcome(row: 1, kind: .updated), from: .node(5))
        tally.noteReference(1)
        #expect(tally.source(of: 1) == .node(5))
        #expect(tally.counts == .init(0, 1))
    }

    @Test func `an object that another has relinked is not as its text says`() {
        let tally = MapperTally()
        tally.note(RowOutcome(row: 1, kind: .unchanged), from: .node(5))
        tally.noteRelinked(1)
        #expect(tally.source(of: 1) == RowSource.none)
        #expect(tally.counts == .init(0, 1))
    }

    @Test func `a deleted object is not known any more`() {
        let tally = MapperTally()
        tally.note(RowOutcome(row: 1, kind: .inserted), from: .node(5))
        tally.noteDeleted(1)
        #expect(!tally.isKnown(1))
        #expect(tally.source(of: 1) == RowSource.none)
        tally.note(RowOutcome(row: 1, kind: .inserted), from: .node(6))
        #expect(tally.isKnown(1))
        #expect(tally.counts == .init(2, deleted: 1))
    }

    @Test func `counts how often a row is written to again`() {
        let tally = MapperTally()
        for row in [3, 1, 2, -4] as [Int64] {
            tally.note(RowOutcome(row: row, kind: .inserted), from: .node(5))
        }
        tally.noteReference(1)
        tally.noteReference(9)
        tally.note(RowOutcome(row: 9, kind: .updated), from: .node(7))
        #expect(tally.rewrittenCount == 0)
        tally.note(RowOutcome(row: -4, kind: .unchanged), from: .node(6))
        tally.noteRelinked(1)
        #expect(tally.rewrittenCount == 2)
        tally.noteDeleted(2)
        _ = tally.withdraw(3)
        #expect(tally.rewrittenCount == 4)
        #expect(tally.isKnown(-4) && tally.isKnown(1) && tally.isKnown(9))
        #expect(!tally.isKnown(2) && !tally.isKnown(3) && !tally.isKnown(.min))
    }

    @Test func `objects without identity and links are counted as they come`() {
        let tally = MapperTally()
        tally.noteNew(nil)
        tally.noteNew(nil)
        tally.noteLinks(linked: 3, unlinked: 1)
        tally.noteLinks(linked: 1, unlinked: 0)
        #expect(tally.counts == .init(2, linked: 4, unlinked: 1))
    }

    // MARK: Parts of a document

    @Test func `leaving a tape forgets where objects stand, not what became of them`() throws {
        let document = try JSONDocument(#"[{"id": 1}, {"id": 2}]"#)
        let (tally, texts) = (MapperTally(), WrittenTexts())
        document.withTape { tape in
            tally.note(RowOutcome(row: 1, kind: .inserted), from: .node(2))
            tally.note(RowOutcome(row: 2, kind: .updated))
            tally.leave(tape, keeping: texts)
        }
        #expect(tally.source(of: 1) == .text(0))
        #expect(texts.text(0).elementsEqual(#"{"id": 1}"#.utf8))
        #expect(tally.source(of: 2) == RowSource.none)
        #expect(tally.isKnown(1) && tally.isKnown(2) && !tally.isKnown(3))
        tally.note(RowOutcome(row: 1, kind: .updated), from: .node(2))
        tally.note(RowOutcome(row: 2, kind: .unchanged), from: .node(2))
        #expect(tally.counts == .init(1, 1, 0))
        tally.forgetTexts()
        #expect(tally.source(of: 1) == .node(2))
        #expect(tally.isKnown(2))
    }

    @Test func `identities outlive their tape as long as there is room`() throws {
        let tally = MapperTally()
        let texts = WrittenTexts()
        let other = try JSONDocument(#"["key", "other"]"#)
        do {
            let document = try JSONDocument(#"["key"]"#)
            document.withTape { tape in
                tally.remember(7, identity: TextKey(2, in: tape))
                tally.leave(tape, keeping: texts)
            }
        }
        other.withTape { tape in
            #expect(TextKey(2, in: tape).flatMap { tally.row(of: $0) } == 7)
            #expect(TextKey(3, in: tape).flatMap { tally.row(of: $0) } == nil)
            tally.forgetTexts()
            #expect(TextKey(2, in: tape).flatMap { tally.row(of: $0) } == nil)
        }
    }
}
