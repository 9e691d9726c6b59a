/// The parts of a document, found by their places, as the store has their objects now.
final class SkeletonReplay {
    private struct Place: Hashable {
        let offset: Int
        let entity: String
    }

    private let objects: [Place: ImportSkeleton.Objects]
    private let lists: [Place: (objects: ImportSkeleton.Objects, skipped: [ImportSkeleton.Skipped])]
    private let others: [Int: [ImportSkeleton.Skipped]]
    private let skeleton: ImportSkeleton
    private let reader: Reader
    /// What is read beside the parts.
    let readings = JSONReadings()
    /// The offsets of the parts that have been asked for, once for each time.
    private var asked: [Int] = []
    /// The number of objects that have gone since, and are left out.
    private(set) var missingCount = 0

    init(_ skeleton: ImportSkeleton, reader: Reader) {
        var objects: [Place: ImportSkeleton.Objects] = [:]
        var lists: [Place: (ImportSkeleton.Objects, [ImportSkeleton.Skipped])] = [:]
        var others: [Int: [ImportSkeleton.Skipped]] = [:]
        for part in skeleton.parts {
            let place = Place(offset: part.offset, entity: part.entity)
            switch part.content {
            case .object(let object): objects[place] = object
            case .objects(let objects, let skipped): lists[place] = (objects, skipped)
            case .others(let skipped): others[part.offset] = skipped
            }
        }
        (self.objects, self.lists, self.others) = (objects, lists, others)
        self.reader = reader
        self.skeleton = skeleton
    }

    /// Throws where something else was read of a part than what it has become, though no more of it is kept: the value
    /// is of another type, or that has changed.
    func check(_ value: JSONValue) throws {
        let emptied = skeleton.emptied(in: value.storage.document)
        let known = Set(asked)
        guard emptied.allSatisfy({ known.contains($0.lowerBound) }),
            readings.unread(emptied, besides: asked).count == emptied.count
        else { throw StoreError(.missingObject, "more is read of a part than is kept of it") }
    }

    /// The row that the object at a value became; nil where that said that it is gone, or has gone since.
    ///
    /// - Throws: `StoreError` where no object of the entity was stored there.
    func row(at value: JSONValue, of entity: EntityPlan) throws -> Int64? {
        guard let object = objects[asking(for: value, entity)] else { throw unknown(value, entity) }
        return try present(object, entity).first
    }

    /// The rows that the elements of an array became, without those that have gone since.
    func rows(of array: JSONValue, _ entity: EntityPlan) throws -> [Int64] {
        guard let list = lists[asking(for: array, entity)] else { throw unknown(array, entity) }
        return try present(list.objects, entity)
    }

    /// The objects that the elements of an array became, without those that have gone since.
    func objects<Object: Entity>(
        _ type: Object.Type, of array: JSONValue, _ entity: EntityPlan
    ) throws -> [Object] {
        guard let list = lists[asking(for: array, entity)] else { throw unknown(array, entity) }
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
        let lost = references.subtracting(objects.references)
        guard present.count < objects.rows.count || !lost.isEmpty else { return present }
        let there = Set(present).subtracting(lost)
        var rows: [Int64] = []
        for (index, row) in objects.rows.enumerated() {
            if there.contains(row) {
                rows.append(row)
            } else if !objects.identities.isEmpty,
                let other = try reader.row(identifiedBy: objects.identities[index], of: entity)
            {
                rows.append(other)
            } else {
                missingCount += 1
            }
        }
        return rows
    }

    /// The elements of an array that were left out.
    func skipped(in array: JSONValue, of entity: EntityPlan) -> [ImportReport.Skipped] {
        lists[place(of: array, entity)]?.skipped.map(\.element) ?? []
    }

    /// The elements of an array of others than objects that were left out, by their indices.
    func skipped(in array: JSONValue) -> [Int: ImportReport.Skipped] {
        let skipped = others[array.storage.offset(of: array.node)] ?? []
        return Dictionary(skipped.map { ($0.index, $0.element) }) { first, _ in first }
    }

    private func place(of value: JSONValue, _ entity: EntityPlan) -> Place {
        Place(offset: value.storage.offset(of: value.node), entity: entity.name)
    }

    /// The place of a part that is asked for.
    private func asking(for value: JSONValue, _ entity: EntityPlan) -> Place {
        let place = place(of: value, entity)
        asked.append(place.offset)
        return place
    }

    private func unknown(_ value: JSONValue, _ entity: EntityPlan) -> StoreError {
        StoreError(
            .missingObject, "no \(entity.name) was stored that stood at \(value.path)")
    }
}
