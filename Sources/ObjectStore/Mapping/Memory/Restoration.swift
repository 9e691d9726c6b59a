/// What an import knows that only brings back what is missing.
final class Restoration {
    private struct Place: Hashable {
        let root: Int
        let row: Int64
    }

    private var written: Set<Place> = []
    private var inserted: Set<Place> = []
    /// What is there of the lists' objects that nothing identifies, and that no element stands for yet, the last
    /// first.
    private var standing: [FoundRow]
    /// The last that an element of an entity has stood for.
    private var last: [Int: FoundRow] = [:]
    /// The indices of the entities that there was some of, and of those above them.
    private let known: Set<Int>

    /// - Parameter standing: What is there of the lists' objects that nothing identifies, in order.
    init(standing: [FoundRow]) {
        self.standing = standing.reversed()
        known = Set(standing.flatMap { [$0.entity.index] + $0.entity.family.ancestors })
    }

    func noteWritten(_ outcome: RowOutcome, of entity: EntityPlan) {
        let place = Place(root: entity.family.members[0], row: outcome.row)
        written.insert(place)
        if outcome.kind == .inserted { inserted.insert(place) }
    }

    /// Whether a row was not there before.
    func hasInserted(_ row: Int64, of entity: EntityPlan) -> Bool {
        inserted.contains(Place(root: entity.family.members[0], row: row))
    }

    func hasWritten(_ row: Int64, of entity: EntityPlan) -> Bool {
        written.contains(Place(root: entity.family.members[0], row: row))
    }

    /// Whether lists of an entity have had objects that nothing identifies.
    func hasStanding(_ entity: EntityPlan) -> Bool { known.contains(entity.index) }

    /// The next of them, which the next such element stands for; nil where there is none left.
    func takeStanding(_ entity: EntityPlan) -> FoundRow? {
        guard hasStanding(entity) else { return nil }
        let index = standing.lastIndex { entity.family.descendants.contains($0.entity.index) }
        guard let index else { return nil }
        let found = standing.remove(at: index)
        last[entity.index] = found
        return found
    }

    /// The next of them, or the last once more: an object that has to be there, and is none that is missing.
    func standIn(for entity: EntityPlan) -> FoundRow? {
        takeStanding(entity) ?? last[entity.index]
    }
}
