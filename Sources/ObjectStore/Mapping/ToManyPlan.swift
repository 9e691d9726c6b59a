/// How a to-many relationship is kept.
final class ToManyPlan: Sendable {
    /// Where the links are.
    enum Storage: Sendable {
        /// Rows of a table of their own.
        case table(LinkTable)
        /// The destination's to-one column, which leads back.
        case column(Int)
    }

    /// A table of links, of which a relationship and its inverse share one.
    final class LinkTable: Sendable {
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

        init(
            name: String, source: String, target: String, position: String?, isSymmetric: Bool
        ) {
            self.name = name
            self.source = source
            self.target = target
            self.position = position
            self.isSymmetric = isSymmetric
        }

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
    /// Whether objects that lack what is required are references.
    let isPartial: Bool
    /// Whether the owner itself may stand somewhere inside the destination's objects.
    let leadsBack: Bool

    init(
        name: String, destination: Int, policy: LinkPolicy, storage: Storage,
        isPartial: Bool, leadsBack: Bool
    ) {
        self.name = name
        self.destination = destination
        self.policy = policy
        self.storage = storage
        self.isPartial = isPartial
        self.leadsBack = leadsBack
    }
}
