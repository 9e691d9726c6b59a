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
    }

    /// What one part has become.
    enum Content: Sendable, Hashable {
        /// An object; none where that says that it is gone.
        case object(Objects)
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
    }

    /// The parts, in the order in which they were stored.
    var parts: [Part] = []

    /// Objects that stood within those of the parts, or were linked from there.
    struct Nested: Sendable, Hashable {
        /// What the rows are numbers of.
        let kind: String
        /// In ascending order.
        let rows: [Int64]
    }

    /// The objects without which those of the parts would be others, by their kinds.
    var nested: [Nested] = []

    /// Whether others stood in documents of their own, of which nothing is known.
    package var lacksParts = false

    /// The number of objects that the parts are about.
    package var objectCount: Int {
        parts.reduce(0) { count, part in
            switch part.content {
            case .object(let objects), .objects(let objects, _, _): count + objects.rows.count
            case .others: count
            }
        }
    }

    /// The same, of a document of which nothing is left but an empty value.
    package var ofEmptyDocument: ImportSkeleton {
        var skeleton = self
        skeleton.parts = parts.map { Part(offset: 0, kind: $0.kind, content: $0.content) }
        return skeleton
    }

    /// The text of an empty document that a part can be of.
    package var emptyDocument: String {
        if case .object? = parts.first?.content { "{}" } else { "[]" }
    }
}

extension EntityPlan {
    /// What the numbers of its rows are numbers of: another identity may be another number.
    var rowKind: String { "\(name) \(family.rowidName)" }
}

extension JSONDocument.Storage {
    /// The offset of the first byte of a node's text behind that of the document's value, of which alone it may be
    /// kept.
    func offset(of node: Int) -> Int {
        guard let text = tape.source(node).baseAddress else { return 0 }
        let start = document.tape.source(0).baseAddress.map { $0 - document.bytes } ?? 0
        return text - bytes - start
    }
}

/// A note of what an import stores, part by part.
final class SkeletonRecorder {
    private(set) var skeleton = ImportSkeleton()

    /// The number of parts so far.
    var count: Int { skeleton.parts.count }

    private let document: JSONDocument.Storage
    private let reader: Reader

    /// - Parameter document: The document that has arrived.
    init(of document: JSONDocument.Storage, reader: Reader) {
        (self.document, self.reader) = (document, reader)
    }

    /// Notes an object.
    func note(_ row: Int64?, at value: JSONValue, of entity: EntityPlan) throws {
        add(.object(try objects(row.map { [$0] } ?? [], entity)), at: value, entity.rowKind)
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
        guard case .unique = entity.identity else { return ImportSkeleton.Objects(rows: rows) }
        let identities = try reader.identities(of: rows, as: entity)
        return ImportSkeleton.Objects(
            rows: rows, identities: identities.count == rows.count ? identities : [])
    }

    /// Notes what was left out of a list of others than objects.
    func note(
        skipping skipped: [ImportSkeleton.Skipped], at value: JSONValue, of type: Any.Type
    ) {
        guard !skipped.isEmpty else { return }
        add(.others(skipped: skipped), at: value, TypeName.lasting(of: type))
    }

    /// Notes the objects that have been met besides those of the parts, of those that are there.
    ///
    /// - Parameter met: Their rows, by the entities' indices.
    func note(met: [Int: Set<Int64>]) throws {
        let plan = reader.store.plan
        let roots = Dictionary(plan.entities.map { ($0.rowKind, plan.root(of: $0).index) }) { $1 }
        // By tables, as a part may be of an entity above an object's own.
        var own: [Int: Set<Int64>] = [:]
        for part in skeleton.parts {
            switch part.content {
            case .object(let objects), .objects(let objects, _, _):
                own[roots[part.kind] ?? 0, default: []].formUnion(objects.rows)
            case .others: break
            }
        }
        for (index, rows) in met.sorted(by: { $0.key < $1.key }) {
            let entity = plan.entities[index]
            let others = rows.subtracting(own[plan.root(of: entity).index] ?? [])
            let present = try reader.present(others.sorted(), of: entity)
            guard !present.isEmpty else { continue }
            skeleton.nested.append(.init(kind: entity.rowKind, rows: present))
        }
    }

    /// Forgets what came after a number of parts, as nothing is left of it.
    func remove(from count: Int) {
        skeleton.parts.removeLast(max(skeleton.parts.count - count, 0))
    }

    private func add(_ content: ImportSkeleton.Content, at value: JSONValue, _ kind: String) {
        // Places are those of one document.
        guard value.storage.document === document else { return skeleton.lacksParts = true }
        skeleton.parts.append(
            ImportSkeleton.Part(
                offset: value.storage.offset(of: value.node), kind: kind, content: content))
    }
}
