/// What the parts of a document have become that were stored: which rows, by their places in it.
///
/// With it, and with what else the document holds, the value that was made of it is made again, of the
/// objects as they are by then.
package struct ImportSkeleton: Sendable {
    /// Objects, by their rows; and by the values that identify them, where rows say nothing of those: one that is
    /// deleted and comes again has another row.
    struct Objects: Sendable, Hashable {
        var rows: [Int64]
        /// One for each row, or none.
        var identities: [[SQLValue]] = []
        /// Those of the rows that were references.
        var references: Set<Int64> = []
    }

    /// What one part has become.
    enum Content: Sendable, Hashable {
        /// An object, single or an element of a list; none where that says that it is gone.
        case object(Objects, isInList: Bool)
        /// The objects of a list, in order, the number of its elements as they stood in the JSON, and those of them
        /// that were left out.
        case objects(Objects, elementCount: Int, skipped: [Skipped])
        /// The elements that were left out of a list of others than objects.
        case others(skipped: [Skipped])
    }

    /// An element that was left out of a list.
    struct Skipped: Sendable, Hashable {
        let index: Int
        let element: ImportReport.Skipped
    }

    /// A part: where it stands, and what it has become.
    struct Part: Sendable, Hashable {
        /// The offset of its first byte in the document.
        let offset: Int
        /// What its objects' rows are numbers of; for a list of others their type's name.
        let kind: String
        let content: Content

        /// Whether it stands where another one does and is of as much, in whichever rows.
        func isLike(_ other: Part) -> Bool {
            guard offset == other.offset, kind == other.kind, rows.count == other.rows.count else {
                return false
            }
            switch (content, other.content) {
            case (.object, .object), (.others, .others): return true
            case (.objects(_, let count, _), .objects(_, let otherCount, _)):
                return count == otherCount
            default: return false
            }
        }

        /// The rows of its objects, in order.
        var rows: [Int64] {
            switch content {
            case .object(let objects, _), .objects(let objects, _, _): objects.rows
            case .others: []
            }
        }
    }

    /// The parts, in the order in which they were stored.
    var parts: [Part] = []
    /// The places in the document of which the value was made that only those who store have looked at; none
    /// where it was read from bytes.
    var unread: [Range<Int>] = []

    /// Whether the value can be made again by it; not where parts stood in documents of their own, such as in a
    /// string, which nothing tells from each other.
    package var isRepeatable = true

    /// The rows of all objects that the document has brought, wherever they stand in it, by the names of their
    /// entities: of all of which the store kept then when they were fetched.
    var fetched: [String: [Int64]] = [:]

    /// Objects that stood within those of the parts, or were linked from there.
    struct Nested: Sendable, Hashable {
        /// What the rows are numbers of.
        let kind: String
        /// Their rows, in ascending order.
        let objects: Objects
    }

    /// The objects without which those of the parts would be others, by their kinds.
    var nested: [Nested] = []

    /// What a document has shown by its lists.
    struct Lists: Sendable, Hashable {
        /// The scopes that they were the whole of, as bits by their numbers; all where nobody had asked.
        var wholeScopes = UInt64.max
        /// Whether the document is one as a whole.
        var isDocument = false
        /// The names of the entities that it has lists of, wherever; none where nobody had asked.
        var entities: Set<String> = []
    }

    /// What the document has shown by its lists.
    var lists = Lists()

    /// Whether the document had been stored before, so that nobody has looked into those of its objects that were
    /// there.
    package internal(set) var isRestored = false

    /// Takes over what only one knows that was not restored, of the same value of the same document.
    package mutating func complete(by other: ImportSkeleton) {
        guard isRestored, parts.count == other.parts.count,
            zip(parts, other.parts).allSatisfy({ $0.isLike($1) })
        else { return }
        (nested, fetched, lists, isRestored) = (
            other.nested, other.fetched, other.lists, other.isRestored
        )
    }

    /// The number of objects that the parts are about.
    package var objectCount: Int {
        parts.reduce(0) { $0 + $1.rows.count }
    }

    /// The same, of a document of which nothing is left but an empty value.
    package var ofEmptyDocument: ImportSkeleton {
        var skeleton = self
        skeleton.parts = parts.map { Part(offset: 0, kind: $0.kind, content: $0.content) }
        return skeleton
    }

    /// The text of an emptied document that a part can be of.
    package var emptyDocument: String {
        if case .object? = parts.first?.content { "{ }" } else { "[ ]" }
    }
}

extension EntityPlan {
    /// What the numbers of its rows are numbers of: another identity may be another number.
    var rowKind: String { "\(name) \(family.rowidName)" }
}

/// A note of what an import stores, part by part.
final class SkeletonRecorder {
    /// What is read beside the parts.
    let readings = JSONReadings()
    private var parts: [ImportSkeleton.Part] = []
    /// The places of the parts that may be left out, nil for others.
    private var places: [Range<Int>?] = []
    /// Whether parts are of several documents, of which one alone is the value's.
    private var areOfSeveral = false

    /// What has been noted.
    var skeleton: ImportSkeleton {
        var skeleton = ImportSkeleton(parts: parts)
        skeleton.isRepeatable = !areOfSeveral
        guard !areOfSeveral else { return skeleton }
        skeleton.unread = readings.unread(places.compactMap(\.self), besides: parts.map(\.offset))
        return skeleton
    }

    /// The number of parts so far.
    var count: Int { parts.count }

    private let document: JSONDocument.Storage
    private let reader: Reader

    init(document: JSONDocument.Storage, reader: Reader) {
        (self.document, self.reader) = (document, reader)
    }

    /// Notes an object.
    func note(_ row: Int64?, at value: JSONValue, of entity: EntityPlan, isInList: Bool) throws {
        let objects = try objects(row.map { [$0] } ?? [], entity)
        add(.object(objects, isInList: isInList), at: value, entity.rowKind)
    }

    /// Notes the objects of a list, and what was left out of it.
    func note(
        _ rows: [Int64], skipping skipped: [ImportSkeleton.Skipped] = [], at value: JSONValue,
        of entity: EntityPlan
    ) throws {
        let objects = try objects(rows, entity)
        add(
            .objects(objects, elementCount: value.count ?? 0, skipped: skipped), at: value,
            entity.rowKind)
    }

    private func objects(
        _ rows: [Int64], _ entity: EntityPlan
    ) throws -> ImportSkeleton.Objects {
        let references = try reader.present(rows, of: entity).references
        guard case .unique = entity.identity else {
            return ImportSkeleton.Objects(rows: rows, references: references)
        }
        let identities = try reader.identities(of: rows, as: entity)
        return ImportSkeleton.Objects(
            rows: rows, identities: identities.count == rows.count ? identities : [],
            references: references)
    }

    /// Notes what was left out of a list of others than objects.
    func note(
        skipping skipped: [ImportSkeleton.Skipped], at value: JSONValue, of type: Any.Type
    ) {
        guard !skipped.isEmpty else { return }
        add(.others(skipped: skipped), at: value, TypeName.lasting(of: type))
    }

    /// The objects that have been met besides those of the parts, of those that are there.
    ///
    /// - Parameter met: Their rows, by the entities' indices.
    func nested(_ met: [Int: Set<Int64>]) throws -> [ImportSkeleton.Nested] {
        let plan = reader.store.plan
        let roots = Dictionary(plan.entities.map { ($0.rowKind, plan.root(of: $0).index) }) { $1 }
        // By tables, as a part may be of an entity above an object's own.
        var own: [Int: Set<Int64>] = [:]
        for part in parts {
            guard let root = roots[part.kind] else { continue }
            own[root, default: []].formUnion(part.rows)
        }
        // What has no identity there is another row each time, of which an older response knows nothing.
        let replaced = plan.deletesObjects ? plan.replacedEntities : []
        return try met.sorted { $0.key < $1.key }.compactMap { index, rows in
            let entity = plan.entities[index]
            if case .none = entity.identity, replaced.contains(index) { return nil }
            let others = rows.subtracting(own[plan.root(of: entity).index] ?? [])
            let (present, references) = try reader.present(others.sorted(), of: entity)
            guard !present.isEmpty else { return nil }
            return ImportSkeleton.Nested(
                kind: entity.rowKind,
                objects: ImportSkeleton.Objects(rows: present, references: references))
        }
    }

    /// Forgets what came after a number of parts, as nothing is left of it.
    func remove(from count: Int) {
        parts.removeLast(max(parts.count - count, 0))
        places.removeLast(max(places.count - count, 0))
    }

    private func add(_ content: ImportSkeleton.Content, at value: JSONValue, _ kind: String) {
        let place = value.storage.range(of: value.node)
        parts.append(ImportSkeleton.Part(offset: place.lowerBound, kind: kind, content: content))
        let isOfObjects = if case .others = content { false } else { true }
        places.append(isOfObjects && value.tape.isContainer(value.node) ? place : nil)
        areOfSeveral = areOfSeveral || value.storage.document !== document
    }
}
