/// A note of what an import stores, part by part.
final class SkeletonRecorder {
    /// What is read beside the parts, where somebody asks for that.
    let readings: JSONReadings?
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
        skeleton.unread =
            readings?.unread(places.compactMap(\.self), besides: parts.map(\.offset)) ?? []
        return skeleton
    }

    /// The parts behind a number of others, for the transaction that they are written in; nil where some are of
    /// another document.
    func parts(from count: Int) -> ImportSkeleton? {
        areOfSeveral ? nil : ImportSkeleton(parts: Array(parts.dropFirst(count)))
    }

    /// The number of parts so far.
    var count: Int { parts.count }

    private let document: JSONDocument.Storage
    private let reader: Reader
    /// Whether it is for this transaction alone, in which the rows say all.
    private let isBrief: Bool

    init(document: JSONDocument.Storage, reader: Reader, isBrief: Bool = false) {
        (self.document, self.reader, self.isBrief) = (document, reader, isBrief)
        readings = isBrief ? nil : JSONReadings()
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
        if isBrief { return ImportSkeleton.Objects(rows: rows) }
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
        // What has no identity there is another row each time, of which an older response knows nothing but that there
        // was some.
        let replaced = plan.deletesObjects ? plan.replacedEntities : []
        return try met.sorted { $0.key < $1.key }.compactMap { index, rows in
            let entity = plan.entities[index]
            let others = rows.subtracting(own[plan.root(of: entity).index] ?? [])
            if case .none = entity.identity, replaced.contains(index) {
                return others.isEmpty
                    ? nil : ImportSkeleton.Nested(kind: entity.rowKind, objects: .init(rows: []))
            }
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
