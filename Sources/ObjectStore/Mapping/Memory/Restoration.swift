/// What an import knows that only brings back what is missing.
final class Restoration {
    private struct Place: Hashable {
        let root: Int
        let row: Int64
    }

    private var written: Set<Place> = []
    /// The list that the import is of, where its objects are there that nothing identifies.
    private let list: JSONValue?
    /// What is there of them, in order.
    private let standing: [FoundRow]
    /// Whether these have been handed out in place of the list's elements.
    private(set) var hasStoodIn = false

    /// - Parameters:
    ///   - list: The list that the import is of.
    ///   - standing: What is there of its objects that nothing identifies, in order.
    init(_ list: JSONValue? = nil, standing: [FoundRow] = []) {
        (self.list, self.standing) = (list, standing)
    }

    func noteWritten(_ row: Int64, of entity: EntityPlan) {
        written.insert(Place(root: entity.family.members[0], row: row))
    }

    func hasWritten(_ row: Int64, of entity: EntityPlan) -> Bool {
        written.contains(Place(root: entity.family.members[0], row: row))
    }

    /// What is there in place of a list's elements, which would come as others; nil where it is to be mapped.
    func standIn(for value: JSONValue, of entity: EntityPlan) -> [FoundRow]? {
        guard let list, !standing.isEmpty, entity.identifying.isEmpty, value.node == list.node,
            value.storage === list.storage,
            standing.allSatisfy({ entity.family.descendants.contains($0.entity.index) })
        else { return nil }
        hasStoodIn = true
        return standing
    }
}
