/// The keys of an entity's JSON, as trees of the steps of its key paths.
struct ExportTree: Sendable {
    /// A key, and what stands there.
    struct Member: Sendable {
        /// The key as JSON writes it, with quotation marks and a colon.
        let key: String
        /// The field whose value stands here, nil where there is none.
        let field: Int?
        /// The name by which an entity's mapper knows objects, which stands here where no field has
        /// a value.
        let entityValue: String?
        /// The keys of the object that stands here.
        let members: [Member]

        /// Whether nothing but an object of other keys stands here.
        var isGroup: Bool { field == nil && entityValue == nil }

        /// The same with other keys in it.
        func with(_ members: [Member]) -> Member {
            Member(key: key, field: field, entityValue: entityValue, members: members)
        }

        /// A key as JSON writes it.
        static func quoted(_ key: String) -> String {
            var output = JSONOutput()
            output.append(string: key)
            return String(decoding: output.bytes, as: UTF8.self) + ":"
        }
    }

    let members: [Member]

    /// Builds the tree of the fields' key paths.
    ///
    /// A field without one is not written; of two fields at one key path the first is.
    ///
    /// - Parameter entityValues: What mappers know the entity by, and their key paths.
    init(
        keyPaths: [String?], entityValues: [(keyPath: String, value: String)] = []
    ) {
        let fields = keyPaths.enumerated().compactMap { field, keyPath in
            keyPath.map { Path(steps: Self.steps(of: $0), field: field, entityValue: nil) }
        }
        let values = entityValues.map {
            Path(steps: Self.steps(of: $0.keyPath), field: nil, entityValue: $0.value)
        }
        members = Self.members(of: values + fields)
    }

    /// Whether a key, as JSON writes it, is one of the first steps.
    func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    private struct Path {
        var steps: ArraySlice<Substring>
        let field: Int?
        let entityValue: String?
    }

    private static func steps(of keyPath: String) -> ArraySlice<Substring> {
        keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
    }

    private static func members(of paths: [Path]) -> [Member] {
        var order: [Substring] = []
        var groups: [Substring: [Path]] = [:]
        for path in paths {
            guard let key = path.steps.first else { continue }
            if groups[key] == nil { order.append(key) }
            var rest = path
            rest.steps = path.steps.dropFirst()
            groups[key, default: []].append(rest)
        }
        return order.map { key in
            let group = groups[key] ?? []
            let ends = group.filter(\.steps.isEmpty)
            return Member(
                key: Member.quoted(String(key)),
                field: ends.lazy.compactMap(\.field).first,
                entityValue: ends.lazy.compactMap(\.entityValue).first,
                members: members(of: group.filter { !$0.steps.isEmpty }))
        }
    }
}

/// The way from the object at the top to the one that is being written.
struct ExportTrail {
    /// The direction in which a relationship leads from here.
    enum Direction {
        case onward
        /// To where the way has just come from.
        case straightBack
        /// To where the way has come from further up.
        case back
    }

    /// An object by the table and the row that it is in.
    struct Place: Hashable {
        let table: String
        let row: Int64
    }

    private var steps: [ExportedRelationship] = []
    /// The objects that stand around the one being written, and itself.
    private var around: Set<Place> = []
    /// The objects that have been written since the top.
    private var written: Set<Place> = []

    /// The greatest depth of objects inside one another; readers of JSON have limits of their own.
    static let deepest = 100

    func direction(of relationship: ExportedRelationship) -> Direction {
        guard let last = steps.last else { return .onward }
        if last.inverse == relationship.key { return .straightBack }
        return steps.contains { $0.inverse == relationship.key } ? .back : .onward
    }

    /// Whether an object may be written here, at the end of the last step.
    func allows(_ place: Place) -> Bool {
        guard steps.count < Self.deepest, !around.contains(place) else { return false }
        guard let last = steps.last, steps.dropLast().contains(where: { $0.key == last.key })
        else { return true }
        // The ways through a web of objects that are linked to their like are too many to go.
        return !written.contains(place)
    }

    mutating func enter(_ place: Place) {
        around.insert(place)
        written.insert(place)
    }

    mutating func leave(_ place: Place) { around.remove(place) }

    mutating func follow(_ relationship: ExportedRelationship) { steps.append(relationship) }

    mutating func goBack() { steps.removeLast() }
}

/// The form that the objects at the other ends of relationships take in JSON.
public enum ExportedRelationships: Hashable, Sendable {
    /// Nothing: relationships are left out.
    case omitted
    /// The identity of each object: its value where that is one attribute, and a number, a string or
    /// a truth value in JSON; else an object of the attributes that identify it.
    ///
    /// Objects that nothing identifies are written themselves. Where an attribute stands beside a
    /// relationship, as of the key `user.login`, the identity is an object too: it is imported behind
    /// the objects that are linked, unless the relationship is partial.
    case identities
    /// The objects themselves, each with its relationships.
    ///
    /// The relationship that leads straight back to where an object stands is left out. Identities
    /// take the place of objects that are known by a reference only, that stand inside themselves, or
    /// that a relationship deeper down leads back to; and of those that have been written, where a
    /// relationship leads on through itself, as from answer to answer.
    case nested
}
