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
