@testable import LarderObjectStore

extension LinkSide {
    /// A side of a table named `l`, of one entity.
    static func numbered(isOrdered: Bool = false, isSymmetric: Bool = false) -> LinkSide {
        let owner = LinkTable.End(entity: 0, relationship: "l", isOrdered: isOrdered)
        let inverse = LinkTable.End(entity: 0, relationship: nil, isOrdered: false)
        return LinkTable(name: "l", owner: owner, inverse: inverse, isSymmetric: isSymmetric)
            .side(isOwner: true)
    }
}
