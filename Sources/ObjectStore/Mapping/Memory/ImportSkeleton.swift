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
        /// An object; none where that says that it is gone.
        case object(Objects)
        /// The objects of a list, in order, and those of its elements that were left out.
        case objects(Objects, skipped: [Skipped])
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
        /// The name of its objects' entity; empty for a list of others.
        let entity: String
        let content: Content
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

    /// The number of objects that the parts are about.
    package var objectCount: Int {
        parts.reduce(0) { count, part in
            switch part.content {
            case .object(let objects), .objects(let objects, _): count + objects.rows.count
            case .others: count
            }
        }
    }

    /// The same, of a document of which nothing is left but an empty value.
    package var ofEmptyDocument: ImportSkeleton {
        var skeleton = self
        skeleton.parts = parts.map { Part(offset: 0, entity: $0.entity, content: $0.content) }
        return skeleton
    }

    /// The text of an emptied document that a part can be of.
    package var emptyDocument: String {
        if case .object? = parts.first?.content { "{ }" } else { "[ ]" }
    }
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
    func note(_ row: Int64?, at value: JSONValue, of entity: EntityPlan) throws {
        add(.object(try objects(row.map { [$0] } ?? [], entity)), at: value, entity.name)
    }

    /// Notes the objects of a list, and what was left out of it.
    func note(
        _ rows: [Int64], skipping skipped: [ImportSkeleton.Skipped] = [], at value: JSONValue,
        of entity: EntityPlan
    ) throws {
        add(.objects(try objects(rows, entity), skipped: skipped), at: value, entity.name)
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
    func note(skipping skipped: [ImportSkeleton.Skipped], at value: JSONValue) {
        if !skipped.isEmpty { add(.others(skipped: skipped), at: value, "") }
    }

    /// Forgets what came after a number of parts, as nothing is left of it.
    func remove(from count: Int) {
        parts.removeLast(max(parts.count - count, 0))
        places.removeLast(max(places.count - count, 0))
    }

    private func add(_ content: ImportSkeleton.Content, at value: JSONValue, _ entity: String) {
        let place = value.storage.range(of: value.node)
        parts.append(
            ImportSkeleton.Part(offset: place.lowerBound, entity: entity, content: content))
        let isOfObjects = if case .others = content { false } else { true }
        places.append(isOfObjects && value.tape.isContainer(value.node) ? place : nil)
        areOfSeveral = areOfSeveral || value.storage.document !== document
    }
}
