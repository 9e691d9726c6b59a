/// A table of links between two ends, of which a to-many relationship and its inverse share one.
struct LinkTable: Sendable {
    /// One end of the links.
    struct End: Sendable {
        /// The index of the plan of the entity whose objects stand at this end.
        let entity: Int
        /// The to-many relationship that leads from here to the other end, nil where none does.
        let relationship: String?
        /// Whether that relationship has an order of its own.
        let isOrdered: Bool
    }

    /// The table's name: that of the owner's relationship, with its entity.
    let name: String
    /// The end whose relationship gives the table its name; its rows stand in the column `source`.
    let owner: End
    /// The other end, whose rows stand in the column `target`.
    let inverse: End
    /// Whether the relationship is its own inverse, so that each link stands in both directions.
    let isSymmetric: Bool

    /// The columns of places, of the ends that have an order.
    var positions: [String] {
        (owner.isOrdered ? ["position"] : []) + (inverse.isOrdered ? ["inversePosition"] : [])
    }

    /// The name of the index that finds the links that lead to an object, made where they are asked for.
    var inverseIndex: String { "\(name).inverse" }

    /// The table as the relationship of one of its ends sees it.
    ///
    /// - Parameter isOwner: Whether that is the end which gives the table its name.
    func side(isOwner: Bool) -> LinkSide { LinkSide(self, isOwner: isOwner) }
}

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
    ///
    /// - Parameter alias: The table's name there, as columns of objects may be called the same.
    func order(on alias: String) -> String {
        let last = "\(alias).\(target)"
        return position.map { "\(alias).\($0) IS NULL, \(alias).\($0), \(last)" } ?? last
    }
}

/// The table and columns that a to-many relationship's links are read from, however they are kept.
struct LinkQuery {
    /// The table that has a row for each link, quoted.
    let table: String
    /// Its column of this side's rows.
    let source: String
    /// Its column of the other side's rows.
    let target: String
    /// The condition for links of this relationship, to references too, on the alias `l`; nil where
    /// all are.
    let rowScope: String?
    /// The terms that put the links in their order, on the alias `l`.
    let order: String

    init(_ relationship: ToManyPlan, in plan: StorePlan) {
        switch relationship.storage {
        case .table(let links):
            table = links.name
            source = links.source
            target = links.target
            order = links.order(on: "l")
            rowScope = nil
        case .column(let column):
            let destination = plan.entities[relationship.destination]
            table = destination.table
            source = destination.columnNames[column].sqlName
            target = destination.rowid
            order = "l.\(destination.rowid)"
            rowScope = destination.rowScope("l")
        }
    }
}

/// The plan for keeping the links of a to-many relationship.
final class ToManyPlan: Sendable {
    /// The place where the links are kept.
    enum Storage: Sendable {
        /// Rows of a table of their own.
        case table(LinkSide)
        /// The destination's to-one column, which leads back.
        case column(Int)
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
