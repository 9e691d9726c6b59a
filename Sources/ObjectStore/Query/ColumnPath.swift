/// The to-one relationships that lead from a query's entity to the one a column belongs to.
public struct ColumnPath: Hashable, Sendable {
    let relationships: [String]

    /// The query's own entity.
    init() { relationships = [] }

    private init(relationships: [String]) { self.relationships = relationships }

    func appending(_ relationship: String) -> ColumnPath {
        ColumnPath(relationships: relationships + [relationship])
    }
}
