/// A table of links as one of its relationships sees it.
final class LinkSide: Sendable {
    let table: LinkTable
    /// Whether the relationship gives the table its name.
    let isOwner: Bool
    /// The table's name, quoted.
    let name: String
    /// The column of this side's rows.
    let source: String
    /// The column of the other side's rows.
    let target: String
    /// The column of the link's place in this side's order, nil where there is no order.
    let position: String?
    /// The column of its place in the other side's order.
    let inversePosition: String?

    /// Whether the relationship is its own inverse, so that each link stands in both directions.
    var isSymmetric: Bool { table.isSymmetric }

    init(_ table: LinkTable, isOwner: Bool) {
        self.table = table
        self.isOwner = isOwner
        name = table.name.sqlName
        (source, target) = isOwner ? ("source", "target") : ("target", "source")
        let positions = (
            owner: table.owner.isOrdered ? "position" : nil,
            inverse: table.inverse.isOrdered ? "inversePosition" : nil
        )
        position = isOwner ? positions.owner : positions.inverse
        inversePosition = isOwner ? positions.inverse : positions.owner
    }

    /// The terms that put the links in this side's order; those that only the other side has
    /// made come last.
    var order: String {
        position.map { "\($0) IS NULL, \($0), \(target)" } ?? target
    }
}
