/// The parts of a document, found by their places, as the store has their objects now.
final class SkeletonReplay {
    private struct Place: Hashable {
        let offset: Int
        let kind: String
    }

    private struct List {
        let objects: ImportSkeleton.Objects
        let elementCount: Int
        let skipped: [ImportSkeleton.Skipped]
    }

    private let document: JSONDocument.Storage
    private let objects: [Place: ImportSkeleton.Objects]
    private let lists: [Place: List]
    private let others: [Place: [ImportSkeleton.Skipped]]
    private let skeleton: ImportSkeleton
    private let reader: Reader
    /// Whether the parts have been written in this transaction, so that references were references then.
    private let isOfNow: Bool
    /// What is read beside the parts.
    let readings = JSONReadings()
    /// The offsets of the parts that have been asked for, once for each time.
    private var asked: [Int] = []
    /// The number of objects that have gone since, and are left out.
    private(set) var missingCount = 0
    /// Whether objects have gone and come again since, in other rows.
    private(set) var hasReplaced = false

    /// - Parameter document: The document that the parts stood in, or an empty one in its place.
    init(
        _ skeleton: ImportSkeleton, of document: JSONDocument.Storage, reader: Reader,
        isOfNow: Bool = false
    ) {
        var objects: [Place: ImportSkeleton.Objects] = [:]
        var lists: [Place: List] = [:]
        var others: [Place: [ImportSkeleton.Skipped]] = [:]
        for part in skeleton.parts {
            let place = Place(offset: part.offset, kind: part.kind)
            switch part.content {
            case .object(let object, _): objects[place] = object
            case .objects(let objects, let elementCount, let skipped):
                lists[place] = List(
                    objects: objects, elementCount: elementCount, skipped: skipped)
            case .others(let skipped): others[place] = skipped
            }
        }
        (self.objects, self.lists, self.others) = (objects, lists, others)
        (self.document, self.reader) = (document, reader)
        (self.skeleton, self.isOfNow) = (skeleton, isOfNow)
    }

    /// Throws where something else was read of a part than what it has become, though no more of it is kept: the value
    /// is of another type, or that has changed.
    func check() throws {
        let emptied = skeleton.emptied(in: document)
        let known = Set(asked)
        guard emptied.allSatisfy({ known.contains($0.lowerBound) }),
            readings.unread(emptied, besides: asked).count == emptied.count
        else { throw StoreError(.missingObject, "more is read of a part than is kept of it") }
    }

    /// The row that the object at a value became; nil where that said that it is gone, or has gone since.
    ///
    /// - Throws: `StoreError` where no object of the entity was stored there.
    func row(at value: JSONValue, of entity: EntityPlan) throws -> Int64? {
        guard isOwn(value), let object = objects[asking(for: value, entity)] else {
            throw unknown(value, entity)
        }
        return try present(object, entity).first
    }

    /// The rows that the elements of an array became, without those that have gone since.
    ///
    /// - Parameter isLossy: Whether elements may have been left out.
    func rows(
        of array: JSONValue, _ entity: EntityPlan, isLossy: Bool = false
    ) throws -> [Int64] {
        let list = try list(at: array, entity)
        if !isLossy, !list.skipped.isEmpty { throw unknown(array, entity) }
        return try present(list.objects, entity)
    }

    /// The objects that the elements of an array became, without those that have gone since.
    func objects<Object: Entity>(
        _ type: Object.Type, of array: JSONValue, _ entity: EntityPlan
    ) throws -> [Object] {
        let list = try list(at: array, entity)
        guard list.skipped.isEmpty else { throw unknown(array, entity) }
        let rows = list.objects.rows
        // Mostly that is all there is to it; references are there, too, but make no objects.
        let objects = try reader.presentObjects(type, rows: rows)
        if objects.count == rows.count { return objects }
        return try reader.objects(type, rows: present(list.objects, entity))
    }

    private func present(
        _ objects: ImportSkeleton.Objects, _ entity: EntityPlan
    ) throws -> [Int64] {
        let (present, references) = try reader.present(objects.rows, of: entity)
        // What was an object and is a reference now is as good as gone.
        let lost = isOfNow ? [] : references.subtracting(objects.references)
        guard present.count < objects.rows.count || !lost.isEmpty else { return present }
        let there = Set(present).subtracting(lost)
        var rows: [Int64] = []
        for (index, row) in objects.rows.enumerated() {
            if there.contains(row) {
                rows.append(row)
            } else if !objects.identities.isEmpty,
                let other = try reader.row(identifiedBy: objects.identities[index], of: entity),
                try objects.references.contains(row) || reader.isComplete(other, of: entity) == true
            {
                rows.append(other)
                hasReplaced = true
            } else {
                missingCount += 1
            }
        }
        return rows
    }

    /// The number of elements that an array had.
    func elementCount(of array: JSONValue, _ entity: EntityPlan) -> Int {
        known(array, entity)?.elementCount ?? 0
    }

    /// The elements of an array that were left out.
    func skipped(in array: JSONValue, of entity: EntityPlan) -> [ImportReport.Skipped] {
        known(array, entity)?.skipped.map(\.element) ?? []
    }

    /// The elements of an array of others than objects that were left out, by their indices.
    func skipped(in array: JSONValue, of type: Any.Type) -> [Int: ImportReport.Skipped] {
        let skipped = others[place(of: array, TypeName.lasting(of: type))] ?? []
        return Dictionary(skipped.map { ($0.index, $0.element) }) { first, _ in first }
    }

    private func known(_ array: JSONValue, _ entity: EntityPlan) -> List? {
        isOwn(array) ? lists[place(of: array, entity.rowKind)] : nil
    }

    /// The list that is asked for.
    private func list(at array: JSONValue, _ entity: EntityPlan) throws -> List {
        guard isOwn(array), let list = lists[asking(for: array, entity)] else {
            throw unknown(array, entity)
        }
        return list
    }

    private func place(of value: JSONValue, _ kind: String) -> Place {
        Place(offset: value.storage.offset(of: value.node), kind: kind)
    }

    /// The place of a part that is asked for.
    private func asking(for value: JSONValue, _ entity: EntityPlan) -> Place {
        let place = place(of: value, entity.rowKind)
        asked.append(place.offset)
        return place
    }

    /// Whether a value stands in the document, rather than in another one, whose places are others.
    private func isOwn(_ value: JSONValue) -> Bool { value.storage.document === document }

    private func unknown(_ value: JSONValue, _ entity: EntityPlan) -> StoreError {
        StoreError(
            .missingObject, "no \(entity.name) was stored that stood at \(value.path)")
    }
}
