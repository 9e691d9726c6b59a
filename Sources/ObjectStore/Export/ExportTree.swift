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
