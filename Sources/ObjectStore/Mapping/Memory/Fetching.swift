/// What an import fetches: when, and which objects where somebody asks for them.
///
/// There is none where the model does not say that this is kept.
final class Fetching {
    /// An object of an entity, by its row.
    private typealias Object = (entity: String, row: Int64)

    /// The moment, counted as `Date` counts.
    let time: Double
    private let isRecording: Bool
    private var objects: [Object] = []

    /// - Parameter isRecording: Whether objects are noted.
    init(at time: Double, isRecording: Bool) {
        self.time = time
        self.isRecording = isRecording
    }

    /// The number of objects that have been noted, some of them twice.
    var count: Int { objects.count }

    func note(_ row: Int64, of entity: EntityPlan) {
        if isRecording { objects.append((entity.name, row)) }
    }

    /// Forgets what came after a number of objects, as nothing is left of it.
    func remove(from count: Int) { objects.removeLast(max(objects.count - count, 0)) }

    /// The rows of the objects, each once and in order, by the entities of which that is kept.
    func rows(_ plan: StorePlan) -> [String: [Int64]] {
        let rows = Dictionary(grouping: objects, by: \.entity)
        let names = plan.entities.filter(\.keepsFetchTimes).map(\.name)
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, Set(rows[name, default: []].map(\.row)).sorted())
            })
    }
}
