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
    private let reader: Reader
    /// The number of objects that have gone since, and are left out.
    private(set) var missingCount = 0
    /// The number of parts that have been found.
    private(set) var foundCount = 0

    /// - Parameter document: The document that the parts stood in, or an empty one in its place.
    init(_ skeleton: ImportSkeleton, of document: JSONDocument.Storage, reader: Reader) {
        var objects: [Place: ImportSkeleton.Objects] = [:]
        var lists: [Place: List] = [:]
        var others: [Place: [ImportSkeleton.Skipped]] = [:]
        for part in skeleton.parts {
            let place = Place(offset: part.offset, kind: part.kind)
            switch part.content {
            case .object(let object): objects[place] = object
            case .objects(let objects, let elementCount, let skipped):
                lists[place] = List(
                    objects: objects, elementCount: elementCount, skipped: skipped)
            case .others(let skipped): others[place] = skipped
            }
        }
        (self.objects, self.lists, self.others) = (objects, lists, others)
        (self.document, self.reader) = (document, reader)
    }

    /// The row that the object at a value became; nil where that said that it is gone, or has gone since.
    ///
    /// - Throws: `StoreError` where no object of the entity was stored there.
    func row(at value: JSONValue, of entity: EntityPlan) throws -> Int64? {
        guard let object = objects[place(of: value, entity.rowKind)], isOwn(value) else {
            throw unknown(value, entity)
        }
        foundCount += 1
        return try present(object, entity).first
    }

    /// The rows that the elements of an array became, without those that have gone since.
    func rows(of array: JSONValue, _ entity: EntityPlan) throws -> [Int64] {
        guard let list = list(at: array, entity) else { throw unknown(array, entity) }
        foundCount += 1
        return try present(list.objects, entity)
    }

    private func present(
        _ objects: ImportSkeleton.Objects, _ entity: EntityPlan
    ) throws -> [Int64] {
        let present = try reader.present(objects.rows, of: entity)
        guard present.count < objects.rows.count else { return present }
        let there = Set(present)
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

    /// The number of elements that an array had.
    func elementCount(of array: JSONValue, _ entity: EntityPlan) -> Int {
        list(at: array, entity)?.elementCount ?? 0
    }

    /// The elements of an array that were left out.
    func skipped(in array: JSONValue, of entity: EntityPlan) -> [ImportReport.Skipped] {
        list(at: array, entity)?.skipped.map(\.element) ?? []
    }

    /// The elements of an array of others than objects that were left out, by their indices.
    func skipped(in array: JSONValue, of type: Any.Type) -> [Int: ImportReport.Skipped] {
        let skipped = others[place(of: array, TypeName.lasting(of: type))] ?? []
        return Dictionary(skipped.map { ($0.index, $0.element) }) { first, _ in first }
    }

    private func list(at array: JSONValue, _ entity: EntityPlan) -> List? {
        isOwn(array) ? lists[place(of: array, entity.rowKind)] : nil
    }

    private func place(of value: JSONValue, _ kind: String) -> Place {
        Place(offset: value.storage.offset(of: value.node), kind: kind)
    }

    /// Whether a value stands in the document, rather than in another one, whose places are others.
    private func isOwn(_ value: JSONValue) -> Bool { value.storage.document === document }

    private func unknown(_ value: JSONValue, _ entity: EntityPlan) -> StoreError {
        StoreError(
            .missingObject, "no \(entity.name) was stored that stood at \(value.path)")
    }
}
