/// JSON that does not fit the model, and where: entity, attribute and path.
public struct MappingError: Error, Hashable, Sendable {
    /// A reason for refusing a value.
    public enum Reason: Hashable, Sendable {
        /// The value is of another kind or out of the range of what is expected.
        case unexpectedValue(expected: String, found: String)
        /// An attribute or relationship that must have a value has none, in the JSON or before.
        case missing
        /// An attribute or relationship that must have a value is `null`.
        case null
        /// A bare value refers to an object of an entity that no single attribute identifies.
        case notIdentifiable
        /// None of the object's keys is mapped.
        case nothingMapped(keys: [String])
        /// A link that an array took away belongs to an object that can't be without it.
        case requiredByInverse
        /// A new object of an abstract entity whose mapper does not pick one of its sub-entities.
        case abstract(value: String?)
        /// The object with this identity is one of an entity that it can't be taken for.
        case otherEntity(String)
        /// An object of nothing but its identity stands for one that is not known.
        case unknownReference
        /// The object that a relationship leads to was deleted, since it is gone, or fell out of an array.
        case leadsToDeleted
        /// An object that is gone, or falls out of an array whose policy is to replace, can't be deleted.
        case notDeletable(WritingError)
        /// A transformer has thrown an error.
        case transformer(String, message: String)
        /// The object breaks a rule of its entity.
        case rule(String)
        /// Objects are nested deeper than the stack of the thread has room for.
        case tooDeep
        /// The constraint of the database that a row would break.
        case refused(String)
    }

    /// The name of the entity.
    public let entity: String
    /// The name of the attribute or relationship, nil where the object itself does not fit.
    public let attribute: String?
    /// The path of the value in the document, such as `$[3].user.id`.
    public let path: String
    /// The path of the document's file, nil where it was read from none.
    public let file: String?
    /// The reason for refusing the value.
    public let reason: Reason
    /// The transformer that has rewritten the object; the path is that of what it made, below the
    /// object's own place in the document.
    public let rewrittenBy: String?

    /// The key path that was looked for where something required is missing, and the keys that the
    /// object has; plays no part in comparing errors.
    public let search: KeySearch?

    /// The key path that was looked for in an object, and the keys that are there.
    public struct KeySearch: Sendable {
        /// The key path.
        public let key: String
        /// The object's keys, of very many the first ones.
        public let found: [String]
    }

    init(
        entity: String, attribute: String?, path: String, file: String? = nil, reason: Reason,
        rewrittenBy: String? = nil, search: KeySearch? = nil
    ) {
        self.search = search
        self.file = file
        self.entity = entity
        self.attribute = attribute
        self.path = path
        self.reason = reason
        self.rewrittenBy = rewrittenBy
    }
}

extension MappingError: CustomStringConvertible {
    /// A sentence that names entity, attribute, path and reason.
    public var description: String {
        let node = file.map { "\(path) of \($0)" } ?? path
        let place = rewrittenBy.map { "\(node), as rewritten by \($0)" } ?? node
        let text = "\(entity)\(attribute.map { ".\($0)" } ?? "") at \(place): \(reason)"
        guard let search else { return text }
        let found = search.found.isEmpty ? "nothing" : search.found.joined(separator: ", ")
        return "\(text); looked for \(search.key), found \(found)"
    }
}

extension MappingError {
    /// Whether both say the same of the same place.
    public static func == (left: MappingError, right: MappingError) -> Bool {
        left.entity == right.entity && left.attribute == right.attribute
            && left.path == right.path && left.file == right.file && left.reason == right.reason
            && left.rewrittenBy == right.rewrittenBy
    }

    /// Hashes what it says, and where.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(attribute)
        hasher.combine(path)
        hasher.combine(file)
        hasher.combine(reason)
        hasher.combine(rewrittenBy)
    }
}

extension MappingError.Reason: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .unexpectedValue(let expected, let found): "expected \(expected), found \(found)"
        case .missing: "required, but missing"
        case .null: "required, but null"
        case .notIdentifiable:
            "a reference needs an entity that one attribute identifies"
        case .nothingMapped(let keys):
            "none of its keys is mapped: \(keys.joined(separator: ", "))"
        case .requiredByInverse:
            "an object that falls out of the array can't be without its owner; policy: .replace at"
                + " the array deletes it, an optional owner lets it stay, and an identity tells what it"
                + " is where it comes again"
        case .leadsToDeleted:
            "what it leads to is gone, or fell out of an array of the document, and was deleted"
        case .notDeletable(let error):
            "an object that is gone, or falls out of the array, can't be deleted: \(error)"
        case .abstract(nil): "the entity is abstract, and nothing says which sub-entity it is"
        case .abstract(let value?):
            "the entity is abstract, and its mapper knows no sub-entity for \(value)"
        case .otherEntity(let name):
            "the object with this identity is in the store as one of \(name)"
        case .unknownReference:
            "required, but missing, and no such object is known; where the relationship is partial,"
                + " an object of nothing but its identity is a reference"
        case .transformer(let name, let message): "the transformer \(name) failed: \(message)"
        case .rule(let name): "breaks the rule: \(name)"
        case .tooDeep: "nested too deeply for the stack of this thread"
        case .refused(let message): "refused by the store: \(message)"
        }
    }
}

/// The errors of a document, each with its place.
extension Mapper {
    func unexpected(
        _ node: Int, _ expectation: String, entity: EntityPlan, field: Int?
    ) -> MappingError {
        let value = String(decoding: tape.source(node).prefix(64), as: UTF8.self)
        let found =
            switch tape.kind(node) {
            case .object: "an object"
            case .array: "an array"
            default: value
            }
        return error(
            node, entity: entity, field: field,
            .unexpectedValue(expected: expectation, found: found))
    }

    func error(
        _ node: Int, entity: EntityPlan, field: Int?, _ reason: MappingError.Reason
    ) -> MappingError {
        MappingError(
            entity: entity.name,
            attribute: field.map { entity.fieldName($0) },
            path: place(of: node), file: outermost.document.filePath, reason: reason,
            rewrittenBy: origin?.transformer,
            search: reason == .missing ? search(in: node, for: field, of: entity) : nil)
    }

    /// The error of a row that an object at a node can't be written to.
    func error(_ refusal: RowRefusal, of entity: EntityPlan, at node: Int) -> MappingError {
        switch refusal {
        case .missingRow: error(node, entity: entity, field: nil, .missing)
        case .otherEntity(let other):
            error(node, entity: entity, field: nil, .otherEntity(other.name))
        case .abstract: error(node, entity: entity, field: nil, .abstract(value: nil))
        case .missing(let column, let entity):
            error(node, entity: entity, field: column, .missing)
        case .constraint(let message):
            error(node, entity: entity, field: nil, .refused(message))
        }
    }

    /// The key path that an object lacks, and the keys that it has.
    private func search(
        in node: Int, for field: Int?, of entity: EntityPlan
    ) -> MappingError.KeySearch? {
        guard tape.kind(node) == .object, let field,
            let key = entity.key(of: field)
        else { return nil }
        return MappingError.KeySearch(key: key, found: keys(of: node))
    }

    /// The first keys of an object.
    func keys(of object: Int) -> [String] { tape.firstKeys(of: object) }
}

extension JSONTape {
    /// The first keys of an object.
    func firstKeys(of object: Int) -> [String] {
        var keys: [String] = []
        var key = firstChild(object)
        while key < next(object), keys.count < 32 {
            keys.append(string(key))
            key = next(key + 1)
        }
        return keys
    }
}
