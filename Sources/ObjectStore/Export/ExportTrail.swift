/// The way from the object at the top to the one that is being written.
struct ExportTrail {
    /// The direction in which a relationship leads from here.
    enum Direction {
        case onward
        /// To where the way has just come from.
        case straightBack
        /// To where the way has come from further up.
        case back
    }

    /// An object by the table and the row that it is in.
    struct Place: Hashable {
        let table: String
        let row: Int64
    }

    private var steps: [ExportedRelationship] = []
    /// The objects that stand around the one being written, and itself.
    private var around: Set<Place> = []
    /// The objects that have been written since the top.
    private var written: Set<Place> = []

    /// The greatest depth of objects inside one another; readers of JSON have limits of their own.
    static let deepest = 100

    func direction(of relationship: ExportedRelationship) -> Direction {
        guard let last = steps.last else { return .onward }
        if last.inverse == relationship.key { return .straightBack }
        return steps.contains { $0.inverse == relationship.key } ? .back : .onward
    }

    /// Whether an object may be written here, at the end of the last step.
    func allows(_ place: Place) -> Bool {
        guard steps.count < Self.deepest, !around.contains(place) else { return false }
        guard let last = steps.last, steps.dropLast().contains(where: { $0.key == last.key })
        else { return true }
        // The ways through a web of objects that are linked to their like are too many to go.
        return !written.contains(place)
    }

    mutating func enter(_ place: Place) {
        around.insert(place)
        written.insert(place)
    }

    mutating func leave(_ place: Place) { around.remove(place) }

    mutating func follow(_ relationship: ExportedRelationship) { steps.append(relationship) }

    mutating func goBack() { steps.removeLast() }
}
