/// The role that its place in the JSON gives an object.
struct ObjectRole {
    /// The kind of role, by what an object may be that lacks what is required.
    enum Kind {
        /// Nothing: it stands for itself.
        case top
        /// A reference, where it is known: it stands where a relationship leads.
        case linked
        /// A reference in any case, since the relationship says so.
        case partial
    }

    var kind = Kind.top
    /// A to-one column that the place already says, and the row to put there.
    var owner: (column: Int, row: Int64)?

    /// The role of what a relationship leads to.
    static func linked(isPartial: Bool, owner: (column: Int, row: Int64)? = nil) -> ObjectRole {
        ObjectRole(kind: isPartial ? .partial : .linked, owner: owner)
    }
}
