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
            tally.note(RowOutcome(row: 7, kind: kind), node: node)
        }
        #expect(tally.counts == expected)
        #expect(tally.source(of: 7) == kinds.count - 1)
        #expect(tally.isKnown(7))
    }

    @Test func `a reference is known and not counted`() {
        let tally = MapperTally()
        tally.noteReference(1)
        #expect(tally.isKnown(1))
        #expect(!tally.isKnown(2))
        #expect(tally.source(of: 1) == nil)
        #expect(tally.counts == .init())
        tally.note(RowOutcome(row: 1, kind: .updated), node: 5)
        tally.noteReference(1)
        #expect(tally.source(of: 1) == 5)
        #expect(tally.counts == .init(0, 1))
    }

    @Test func `an object that another has relinked is not as its text says`() {
        let tally = MapperTally()
        tally.note(RowOutcome(row: 1, kind: .unchanged), node: 5)
        tally.noteRelinked(1)
        #expect(tally.source(of: 1) == nil)
        #expect(tally.counts == .init(0, 1))
    }

    @Test func `a deleted object is not known any more`() {
        let tally = MapperTally()
        tally.note(RowOutcome(row: 1, kind: .inserted), node: 5)
        tally.noteDeleted(1)
        #expect(!tally.isKnown(1))
        #expect(tally.source(of: 1) == nil)
        tally.note(RowOutcome(row: 1, kind: .inserted), node: 6)
        #expect(tally.isKnown(1))
        #expect(tally.counts == .init(2, deleted: 1))
    }

    @Test func `counts how often a row is written to again`() {
        let tally = MapperTally()
        for row in [3, 1, 2, -4] as [Int64] {
            tally.note(RowOutcome(row: row, kind: .inserted), node: 5)
        }
        tally.noteReference(1)
        tally.noteReference(9)
        tally.note(RowOutcome(row: 9, kind: .updated), node: 7)
        #expect(tally.rewrittenCount == 0)
        tally.note(RowOutcome(row: -4, kind: .unchanged), node: 6)
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
        tally.noteNew()
        tally.noteNew()
        tally.noteLinks(linked: 3, unlinked: 1)
        tally.noteLinks(linked: 1, unlinked: 0)
        #expect(tally.counts == .init(2, linked: 4, unlinked: 1))
    }

    // MARK: Parts of a document

    @Test func `leaving a tape forgets where objects stand, not what became of them`() throws {
        let document = try JSONDocument(#"[{"id": 1}, {"id": 2}]"#)
        let (tally, texts) = (MapperTally(), WrittenTexts())
        document.withTape { tape in
            tally.note(RowOutcome(row: 1, kind: .inserted), node: 2)
            tally.note(RowOutcome(row: 2, kind: .updated), node: -1)
            tally.leave(tape, keeping: texts)
        }
        let source = try #require(tally.source(of: 1))
        #expect(source < -1)
        #expect(texts.text(MapperTally.text(ofSource: source)).elementsEqual(#"{"id": 1}"#.utf8))
        #expect(tally.source(of: 2) == nil)
        #expect(tally.isKnown(1) && tally.isKnown(2) && !tally.isKnown(3))
        tally.note(RowOutcome(row: 1, kind: .updated), node: 2)
        tally.note(RowOutcome(row: 2, kind: .unchanged), node: 2)
        #expect(tally.counts == .init(1, 1, 0))
        tally.forgetTexts()
        #expect(tally.source(of: 1) == 2)
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
