/// The entities that JSON can lead to from each one, over the relationships that have keys.
final class EntityReach {
    private let lineage: EntityLineage
    /// The entities that each one's relationships lead to; where an entity may stand, those below it
    /// may too.
    private let destinations: [[Int]]
    /// The entities found so far, by the name of the one where the way starts.
    private var reached: [String: [Bool]] = [:]

    init(_ entities: [EntityDescription]) {
        let lineage = EntityLineage(entities)
        self.lineage = lineage
        destinations = entities.map { entity in
            let names = ([entity] + lineage.ancestors(of: entity.name)).flatMap(\.relationships)
                .filter { $0.key != nil }.map(\.destination)
            return Set(names.flatMap(lineage.indices(below:))).sorted()
        }
    }

    /// Whether relationships lead from an entity to another, one below it or one that it is below.
    func leads(from start: String, to goal: String) -> Bool {
        let reached = reached(from: start)
        let goals = lineage.indices(below: goal) + lineage.indices(above: goal)
        return goals.contains { reached[$0] }
    }

    private func reached(from start: String) -> [Bool] {
        if let known = reached[start] { return known }
        var reached = Array(repeating: false, count: destinations.count)
        var open = lineage.indices(below: start)
        for index in open { reached[index] = true }
        while let index = open.popLast() {
            for next in destinations[index] where !reached[next] {
                reached[next] = true
                open.append(next)
            }
        }
        self.reached[start] = reached
        return reached
    }
}
