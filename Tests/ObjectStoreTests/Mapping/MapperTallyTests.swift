import Testing

@testable import LarderObjectStore

struct MapperTallyTests {
    private typealias Kind = MapperOutcome.Kind

    @Test(
        arguments: [
            ([Kind.inserted], ImportReport.Counts(1)), ([.updated], .init(0, 1)),
            ([.unchanged], .init(0, 0, 1)), ([.inserted, .updated], .init(1)),
            ([.inserted, .unchanged], .init(1)), ([.unchanged, .updated], .init(0, 1)),
            ([.updated, .unchanged], .init(0, 1)), ([.unchanged, .unchanged], .init(0, 0, 1)),
            ([.unchanged, .updated, .unchanged, .updated], .init(0, 1)),
        ] as [([MapperOutcome.Kind], ImportReport.Counts)])
    func `counts an object once, as what says most`(
        _ kinds: [MapperOutcome.Kind], _ expected: ImportReport.Counts
    ) {
        let tally = MapperTally()
        for (node, kind) in kinds.enumerated() {
            tally.note(MapperOutcome(row: 7, kind: kind), node: node)
        }
        #expect(tally.counts == expected)
        #expect(tally.node(of: 7) == kinds.count - 1)
        #expect(tally.isKnown(7))
    }

    @Test func `a reference is known and not counted`() {
        let tally = MapperTally()
        tally.noteReference(1)
        #expect(tally.isKnown(1))
        #expect(!tally.isKnown(2))
        #expect(tally.node(of: 1) == nil)
        #expect(tally.counts == .init())
        tally.note(MapperOutcome(row: 1, kind: .updated), node: 5)
        tally.noteReference(1)
        #expect(tally.node(of: 1) == 5)
        #expect(tally.counts == .init(0, 1))
    }

    @Test func `an object that another has relinked is not as its text says`() {
        let tally = MapperTally()
        tally.note(MapperOutcome(row: 1, kind: .unchanged), node: 5)
        tally.noteRelinked(1)
        #expect(tally.node(of: 1) == nil)
        #expect(tally.counts == .init(0, 1))
    }

    @Test func `a deleted object is not known any more`() {
        let tally = MapperTally()
        tally.note(MapperOutcome(row: 1, kind: .inserted), node: 5)
        tally.noteDeleted(1)
        #expect(!tally.isKnown(1))
        #expect(tally.node(of: 1) == nil)
        tally.note(MapperOutcome(row: 1, kind: .inserted), node: 6)
        #expect(tally.isKnown(1))
        #expect(tally.counts == .init(2))
    }

    @Test func `objects without identity and links are counted as they come`() {
        let tally = MapperTally()
        tally.noteNew()
        tally.noteNew()
        tally.noteLinks(linked: 3, unlinked: 1)
        tally.noteLinks(linked: 1, unlinked: 0)
        #expect(tally.counts == .init(2, linked: 4, unlinked: 1))
    }
}
