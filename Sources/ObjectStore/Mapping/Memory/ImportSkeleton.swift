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

        /// The reason as a file has it, which is to have nothing of what was not stored.
        static let keptReason = "the value does not fit"
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

    /// What the document has named of the objects of entities, by the entities' names; kept along with the digest alone.
    var named: [String: NamedFields] = [:]

    /// The digest of that as it stood in the store right behind the import, nil where nobody had asked for it.
    package var digest: UInt64?

    /// What identifies the objects that the document calls gone, in the order of the columns, by the kinds of their
    /// rows; kept along with the digest alone.
    package var gone: [String: [[SQLValue]]] = [:]

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
        (named, digest, gone) = (other.named, other.digest, other.gone)
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
