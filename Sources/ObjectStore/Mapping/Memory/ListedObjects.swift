/// The objects that documents name, as those that are there: by all that they hold, or by a bare identity.
package struct ListedObjects: Sendable {
    /// The objects of one table.
    struct Names: Sendable {
        /// The rows of all that are named, wherever.
        var rows: Set<Int64> = []
        /// The rows of those that stand for themselves, in order, some of them twice.
        var listed: [Int64] = []
        /// The entities that there are lists of, by their indices.
        var lists: Set<Int> = []
    }

    /// By the index of the entity that a table is named after; only those that are asked about.
    private(set) var tables: [Int: Names]
    /// Whether a document is a list as a whole.
    var isList = false
    /// Whether an element was left out, which may have named anything.
    var lacksElements = false

    /// - Parameter roots: The indices of the entities whose tables are asked about.
    init(of roots: some Sequence<Int>) {
        tables = Dictionary(roots.map { ($0, Names()) }) { first, _ in first }
    }

    /// Notes an object.
    mutating func note(_ row: Int64, of entity: EntityPlan, isListed: Bool) {
        let root = entity.family.members[0]
        tables[root]?.rows.insert(row)
        if isListed { tables[root]?.listed.append(row) }
    }

    /// Notes a list, which may be empty.
    mutating func noteList(of entity: EntityPlan) {
        tables[entity.family.members[0]]?.lists.insert(entity.index)
    }

    /// The objects of an entity's table that are named.
    func names(of entity: EntityPlan) -> Names { tables[entity.family.members[0]] ?? Names() }

    /// Whether there is a list that all of an entity's objects could stand in.
    func hasList(of entity: EntityPlan) -> Bool {
        isList
            || !names(of: entity).lists.isDisjoint(with: [entity.index] + entity.family.ancestors)
    }

    /// Adds what other documents name.
    package mutating func formUnion(_ other: ListedObjects) {
        for (root, names) in other.tables {
            tables[root, default: Names()].rows.formUnion(names.rows)
            tables[root, default: Names()].listed += names.listed
            tables[root, default: Names()].lists.formUnion(names.lists)
        }
        isList = isList || other.isList
        lacksElements = lacksElements || other.lacksElements
    }
}

/// A note of what an import names, which its mappers share.
final class Listing {
    var objects: ListedObjects

    init(_ objects: ListedObjects) { self.objects = objects }
}
