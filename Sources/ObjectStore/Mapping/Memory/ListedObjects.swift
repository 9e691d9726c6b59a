/// The objects that documents name, as those that are there: by all that they hold, or by a bare identity.
package struct ListedObjects: Sendable {
    /// The objects of one table.
    struct Names: Sendable {
        /// The rows of all that are named, wherever.
        var rows: Set<Int64> = []
        /// Those that have stood for themselves, in order, some of them twice.
        private var elements: [Element] = []
        /// The number of elements that there were when a row was deleted, which is nobody's of those any more.
        private var deleted: [Int64: Int] = [:]
        /// The entities that there are lists of, by their indices.
        var lists: Set<Int> = []
        /// Those of which there are lists that stand for themselves.
        var ownLists: Set<Int> = []

        private struct Element {
            let row: Int64
            let place: Place
        }

        /// Those of the elements that are there.
        private var present: [Element] {
            if deleted.isEmpty { return elements }
            return elements.enumerated().filter { $0.offset >= deleted[$0.element.row] ?? 0 }
                .map(\.element)
        }

        /// The rows of those that stand for themselves, in order, some of them twice.
        ///
        /// - Parameter isIncluded: Says which of them, by where they stand.
        func listed(where isIncluded: (Place) -> Bool) -> [Int64] {
            present.compactMap { isIncluded($0.place) ? $0.row : nil }
        }

        mutating func list(_ row: Int64, _ place: Place) {
            elements.append(Element(row: row, place: place))
        }

        mutating func noteDeleted(_ row: Int64) { deleted[row] = elements.count }

        mutating func formUnion(_ other: Names) {
            rows.formUnion(other.rows)
            if deleted.isEmpty, other.deleted.isEmpty {
                elements += other.elements
            } else {
                (elements, deleted) = (present + other.present, [:])
            }
            lists.formUnion(other.lists)
            ownLists.formUnion(other.ownLists)
        }

        mutating func subtract(_ others: Set<Int64>) {
            guard !rows.isDisjoint(with: others) else { return }
            rows.subtract(others)
            (elements, deleted) = (present.filter { !others.contains($0.row) }, [:])
        }
    }

    /// By the index of the entity that a table is named after; only those that are asked about.
    private(set) var tables: [Int: Names]
    /// Whether a document is a list as a whole.
    var isList = false
    /// Whether it is one without elements, which shows nothing to be there of all that they could have.
    var isEmptyList = false
    /// Whether an element was left out, which may have named anything.
    var lacksElements = false
    /// Whether some were linked as they came to the owner whose relationship a list is of.
    var areLinked = false

    /// - Parameter roots: The indices of the entities whose tables are asked about.
    init(of roots: some Sequence<Int>) {
        tables = Dictionary(roots.map { ($0, Names()) }) { first, _ in first }
    }

    /// Where an object stands.
    enum Place {
        /// In another object, or linked from there.
        case nested
        /// For itself, as an element of a list.
        case element
        /// For itself, in an element of a list of others, such as wrappers.
        case wrapped
        /// For itself, and in no list but that of documents like its own.
        case single
    }

    /// Notes an object.
    mutating func note(_ row: Int64, of entity: EntityPlan, _ place: Place) {
        let root = entity.family.members[0]
        tables[root]?.rows.insert(row)
        guard place != .nested else { return }
        let place = isElement(place) ? Place.element : place
        tables[root]?.list(row, place)
    }

    /// The rows of what stands for itself: where there is a list that all of an entity's objects could stand in, of
    /// its elements, as what stands beside it is not in it.
    func listed(of entity: EntityPlan) -> [Int64] {
        names(of: entity).listed(where: listedPlaces(of: entity).contains)
    }

    /// Whether an entity's object at a place is one of those, as far as lists are known by now.
    func isListed(_ place: Place, of entity: EntityPlan) -> Bool {
        listedPlaces(of: entity).contains(isElement(place) ? .element : place)
    }

    /// Whether a place is one in a list.
    private func isElement(_ place: Place) -> Bool {
        place == .element || isList && place != .nested
    }

    private func listedPlaces(of entity: EntityPlan) -> [Place] {
        let entities = [entity.index] + entity.family.ancestors
        if !names(of: entity).ownLists.isDisjoint(with: entities) { return [.element] }
        return hasList(of: entity) ? [.element, .wrapped] : [.element, .wrapped, .single]
    }

    /// Notes that rows are deleted: elements before are none of the list's, whatever comes to their numbers.
    mutating func noteDeleted(_ rows: [Int64], of entity: EntityPlan) {
        for row in rows { tables[entity.family.members[0]]?.noteDeleted(row) }
    }

    /// Notes a list, which may be empty.
    ///
    /// - Parameter isOwn: Whether it stands for itself.
    mutating func noteList(of entity: EntityPlan, isOwn: Bool = false) {
        tables[entity.family.members[0]]?.lists.insert(entity.index)
        if isOwn { tables[entity.family.members[0]]?.ownLists.insert(entity.index) }
    }

    /// Notes an object that stands for itself, in a list of what has such objects where the document is one.
    mutating func notePart(of entity: EntityPlan) {
        if isList { noteList(of: entity) }
    }

    /// The objects of an entity's table that are named.
    func names(of entity: EntityPlan) -> Names { tables[entity.family.members[0]] ?? Names() }

    /// Whether there is a list that all of an entity's objects could stand in.
    func hasList(of entity: EntityPlan) -> Bool {
        isEmptyList
            || !names(of: entity).lists.isDisjoint(with: [entity.index] + entity.family.ancestors)
    }

    /// What is to be known of the lists of a document that is still the same.
    func lists(in plan: StorePlan) -> ImportSkeleton.Lists {
        let indices = tables.values.reduce(into: Set<Int>()) { $0.formUnion($1.lists) }
        return ImportSkeleton.Lists(
            isDocument: isList, entities: Set(indices.map { plan.entities[$0].name }))
    }

    /// Leaves out rows of tables, by the indices of the entities that these are named after.
    mutating func subtract(_ rows: (_ root: Int) -> Set<Int64>) {
        for root in tables.keys { tables[root]?.subtract(rows(root)) }
    }

    /// Adds what other documents name.
    package mutating func formUnion(_ other: ListedObjects) {
        for (root, names) in other.tables {
            tables[root, default: Names()].formUnion(names)
        }
        isList = isList || other.isList
        // A page without elements says nothing of lists in those of others.
        isEmptyList = isEmptyList && other.isEmptyList
        lacksElements = lacksElements || other.lacksElements
    }
}

/// A note of what an import names, which its mappers share.
final class Listing {
    /// An owner whose relationship a list is of, where the list's objects can't be without one.
    struct Owner {
        let entity: EntityPlan
        /// The entity that the relationship leads to, and its column that leads back.
        let destination: EntityPlan
        let column: Int
        /// Finds the owner's row, or makes it; nil where there is none.
        let row: () throws -> Int64?
    }

    var objects: ListedObjects
    let owners: [Owner]

    init(_ objects: ListedObjects, of owners: [Owner]) {
        (self.objects, self.owners) = (objects, owners)
    }
}
