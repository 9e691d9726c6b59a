/// How a to-many relationship is kept.
struct ToManyPlan: Sendable {
    /// Where the links are.
    enum Storage: Sendable {
        /// Rows of a table of their own.
        case table(LinkTable)
        /// The destination's to-one column, which leads back.
        case column(Int)
    }

    /// A table of links, of which a relationship and its inverse share one.
    struct LinkTable: Sendable {
        /// The table's name, quoted.
        let name: String
        /// The column of this side's rows.
        let source: String
        /// The column of the other side's rows.
        let target: String
        /// The column of the link's place in this side's order, nil where there is no order.
        let position: String?
        /// Whether the relationship is its own inverse, so that each link stands in both directions.
        let isSymmetric: Bool

        /// The terms that put the links in this side's order; those that only the other side has
        /// made come last.
        var order: String {
            position.map { "\($0) IS NULL, \($0), \(target)" } ?? target
        }
    }

    let name: String
    /// The index of the destination's plan.
    let destination: Int
    let policy: LinkPolicy
    let storage: Storage
    /// Whether the owner itself may stand somewhere inside the destination's objects.
    let leadsBack: Bool
}
