/// What documents have had anything to do with: which rows, and what they have said of the objects there.
struct MetObjects {
    /// The rows, by their entities' indices.
    private(set) var rows: [Int: Set<Int64>] = [:]
    /// What is named of the objects of entities, by the entities' names.
    private(set) var named: [String: NamedFields] = [:]
    /// What identifies the objects that have said of themselves that they are gone, by the kinds of their rows.
    private(set) var gone: [String: [[SQLValue]]] = [:]

    /// Takes what a document has met.
    mutating func take(_ memory: ImportMemory) {
        memory.forEachMet { rows[$1.index, default: []].insert($0) }
        memory.forEachNamed { named[$1.name, default: NamedFields()].formUnion($0) }
        for tombstone in memory.tombstones {
            gone[tombstone.entity.rowKind, default: []].append(tombstone.identity)
        }
    }
}

/// What a document names of an entity's objects, of whichever of them.
struct NamedFields: Sendable, Hashable {
    /// The columns, also those that where an object stands says.
    var columns = ColumnSet()
    /// The to-many relationships, by their indices.
    var lists: Set<Int> = []

    mutating func formUnion(_ other: NamedFields) {
        columns.formUnion(other.columns)
        lists.formUnion(other.lists)
    }
}
