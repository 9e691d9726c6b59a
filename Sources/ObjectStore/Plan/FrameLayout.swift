/// The places that a mapper keeps for the entities of a model, worked out once for all documents.
struct FrameLayout: Sendable {
    /// The number of an object's members whose keys are remembered.
    static let shapeLength = 64

    /// The largest number of fields that an entity has.
    let width: Int
    /// The first place for the keys of each tree, by entity and tree.
    let firstShapes: [[Int]]
    /// The number of places for keys.
    let shapeCount: Int

    init(_ entities: [EntityPlan]) {
        width = entities.map(\.fieldCount).max() ?? 0
        var count = 0
        firstShapes = entities.map { entity in
            entity.keys.trees.map { _ in
                defer { count += Self.shapeLength }
                return count
            }
        }
        shapeCount = count
    }
}
