/// Reads a model in the file format and notes all that is wrong with its form.
///
/// A part that cannot be read is left out and remembered, so that what refers to it is not taken
/// for wrong as well.
struct ModelReader {
    private let root: JSONValue
    /// The model's name: the file's own, or the one that was given.
    private(set) var name: String
    /// The problems of form, in the order of the file.
    private(set) var problems: [ModelError.Problem] = []
    /// The paths of the parts that are left out.
    private(set) var unread: Set<String> = []
    private var keys = KeyStyle.verbatim

    init(root: JSONValue, name: String) {
        self.root = root
        self.name = name
    }

    /// The entities that can be read.
    mutating func entities() -> [EntityDescription] {
        guard let model = object(root, at: "", has: ["$schema", "name", "keys", "entities"]) else {
            return []
        }
        if let name = string("name", of: model, at: "") { self.name = name }
        if let keys = choice(KeyStyle.self, "keys", of: model, at: "") { self.keys = keys }
        guard let entities = required("entities", of: model, at: "") else { return [] }
        return members(of: entities, at: "entities").compactMap { entity($0, $1, at: $2) }
    }

    // MARK: Entities and properties

    private mutating func entity(
        _ name: String, _ value: JSONValue, at path: String
    ) -> EntityDescription? {
        let keys: Set = [
            "parent", "abstract", "mapper", "transformer", "identity", "attributes",
            "relationships", "renamedFrom", "tombstone", "fetchedAt",
        ]
        guard let value = object(value, at: path, has: keys) else { return nil }
        let attributes = members("attributes", of: value, at: path)
            .compactMap { attribute($0, $1, at: $2) }
        let relationships = members("relationships", of: value, at: path)
            .compactMap { relationship($0, $1, at: $2) }
        return EntityDescription(
            name: name, parent: string("parent", of: value, at: path),
            isAbstract: flag("abstract", of: value, at: path),
            identity: identity(of: value, at: "\(path).identity"),
            attributes: attributes, relationships: relationships,
            mapper: mapper(of: value, at: path),
            transformer: string("transformer", of: value, at: path)
                .map(ObjectTransformer.init(named:)),
            renamedFrom: string("renamedFrom", of: value, at: path),
            tombstone: string("tombstone", of: value, at: path),
            hasFetchedAt: flag("fetchedAt", of: value, at: path))
    }

    private mutating func mapper(of value: JSONValue, at path: String) -> EntityMapper? {
        let path = "\(path).mapper"
        guard let mapper = value["mapper"],
            let mapper = object(mapper, at: path, has: ["key", "values"])
        else { return nil }
        let key = required("key", of: mapper, at: path).flatMap { text(of: $0, at: "\(path).key") }
        let values = required("values", of: mapper, at: path)
            .map { members(of: $0, at: "\(path).values") }
        guard let key, let values else { return nil }
        var names: [String: String] = [:]
        for (value, name, place) in values {
            names[value] = text(of: name, at: place) ?? leftOut("\(path).values")
        }
        return EntityMapper(key: key, values: names)
    }

    private mutating func identity(of value: JSONValue, at path: String) -> [String] {
        guard let list = value["identity"] else { return [] }
        let names = list.elements?.map(\.string) ?? [nil]
        if names.contains(nil) { note("expected a list of attributes' names", at: path) }
        return names.compactMap { $0 }
    }

    private mutating func attribute(
        _ name: String, _ value: JSONValue, at path: String
    ) -> AttributeDescription? {
        if let text = value.string {
            let isOptional = text.hasSuffix("?")
            guard let type = AttributeType(rawValue: isOptional ? String(text.dropLast()) : text)
            else { return unknownType(text, at: path) }
            return AttributeDescription(
                name, type, isOptional: isOptional, key: keys.key(for: name))
        }
        let known: Set = [
            "type", "optional", "default", "key", "transformer", "indexed", "searchable",
            "renamedFrom",
        ]
        guard let value = object(value, at: path, has: known),
            let type = required("type", of: value, at: path)
                .flatMap({ text(of: $0, at: "\(path).type") })
                .flatMap({ type($0, at: "\(path).type") })
        else { return leftOut(path) }
        return AttributeDescription(
            name, type, isOptional: flag("optional", of: value, at: path),
            key: key(of: value, named: name, at: path),
            transformer: string("transformer", of: value, at: path).map(
                Transformer.init(rawValue:)),
            default: defaultValue(of: value, type: type, at: "\(path).default"),
            isIndexed: flag("indexed", of: value, at: path),
            isSearchable: flag("searchable", of: value, at: path),
            renamedFrom: string("renamedFrom", of: value, at: path))
    }

    private mutating func relationship(
        _ name: String, _ value: JSONValue, at path: String
    ) -> RelationshipDescription? {
        let known: Set = [
            "to", "many", "optional", "ordered", "inverse", "key", "delete", "policy",
            "partial", "renamedFrom",
        ]
        guard let value = object(value, at: path, has: known),
            let destination = required("to", of: value, at: path)
                .flatMap({ text(of: $0, at: "\(path).to") })
        else { return leftOut(path) }
        let isToMany = flag("many", of: value, at: path)
        for key in ["ordered", "policy"] where !isToMany && value[key] != nil {
            note("only a to-many relationship has this; say \"many\": true", at: "\(path).\(key)")
        }
        return RelationshipDescription(
            name, to: destination, isToMany: isToMany,
            isOptional: flag("optional", of: value, at: path),
            isOrdered: flag("ordered", of: value, at: path),
            key: key(of: value, named: name, at: path),
            inverse: string("inverse", of: value, at: path),
            deleteRule: choice(DeleteRule.self, "delete", of: value, at: path) ?? .nullify,
            // Of one that has none it is said already.
            policy: isToMany
                ? choice(LinkPolicy.self, "policy", of: value, at: path) ?? .set : .set,
            isPartial: flag("partial", of: value, at: path),
            renamedFrom: string("renamedFrom", of: value, at: path))
    }

    private mutating func type(_ text: String, at path: String) -> AttributeType? {
        if let type = AttributeType(rawValue: text) { return type }
        guard text.hasSuffix("?"), AttributeType(rawValue: String(text.dropLast())) != nil else {
            return unknownType(text, at: path)
        }
        note("expected a type alone; an object says \"optional\": true", at: path)
        return nil
    }

    private mutating func unknownType<Part>(_ text: String, at path: String) -> Part? {
        note("unknown type \(text); expected one of \(list(AttributeType.self))", at: path)
        return leftOut(path)
    }

    /// The key path: given, `null` for none, or made from the name.
    private mutating func key(of value: JSONValue, named name: String, at path: String) -> String? {
        guard let key = value["key"] else { return keys.key(for: name) }
        if key.isNull { return nil }
        guard let text = key.string else {
            note("expected a dotted key path or null", at: "\(path).key")
            // Whatever it is, the attribute is meant to be mapped.
            return keys.key(for: name)
        }
        return text
    }

    private mutating func defaultValue(
        of value: JSONValue, type: AttributeType, at path: String
    ) -> DefaultValue? {
        guard let member = value["default"] else { return nil }
        if let value = DefaultValue(member, of: type) { return value }
        note(
            DefaultValue.expectation(of: type).map { "expected \($0)" }
                ?? "attributes of type \(type.rawValue) have no default", at: path)
        return nil
    }
}

// MARK: Parts

extension ModelReader {
    private mutating func note(_ message: String, at path: String) {
        problems.append(.init(path: path.isEmpty ? "$" : path, message: message))
    }

    private mutating func leftOut<Part>(_ path: String) -> Part? {
        unread.insert(path)
        return nil
    }

    private func path(_ key: String, in path: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    /// The value if it is an object; notes keys that it should not have.
    private mutating func object(
        _ value: JSONValue, at path: String, has known: Set<String>? = nil
    ) -> JSONValue? {
        guard let keys = value.keys else {
            note(
                "expected an object, found \(value.isNull ? "null" : value.kind.rawValue)", at: path
            )
            return leftOut(path)
        }
        var met: Set<String> = []
        for key in keys where !met.insert(key).inserted {
            note("the key stands here twice", at: self.path(key, in: path))
        }
        let known = known ?? met
        for key in keys where !known.contains(key) {
            note(
                "unknown key; expected one of \(known.sorted().joined(separator: ", "))",
                at: self.path(key, in: path))
        }
        return value
    }

    private mutating func required(
        _ key: String, of value: JSONValue, at path: String
    ) -> JSONValue? {
        if let member = value[key] { return member }
        note("required, but missing", at: self.path(key, in: path))
        return leftOut(self.path(key, in: path))
    }

    /// The members of an object that may be missing, each with its path.
    private mutating func members(
        _ key: String, of value: JSONValue, at path: String
    ) -> [(String, JSONValue, String)] {
        value[key].map { members(of: $0, at: "\(path).\(key)") } ?? []
    }

    private mutating func members(
        of value: JSONValue, at path: String
    ) -> [(String, JSONValue, String)] {
        guard let value = object(value, at: path) else { return [] }
        return JSONMembers(of: value).keys.compactMap { key in
            value[key].map { (key, $0, "\(path).\(key)") }
        }
    }

    private mutating func text(of value: JSONValue, at path: String) -> String? {
        if let text = value.string { return text }
        note("expected a string", at: path)
        return nil
    }

    private mutating func string(_ key: String, of value: JSONValue, at path: String) -> String? {
        value[key].flatMap { text(of: $0, at: self.path(key, in: path)) }
    }

    private mutating func flag(_ key: String, of value: JSONValue, at path: String) -> Bool {
        guard let member = value[key] else { return false }
        if let flag = member.bool { return flag }
        note("expected true or false", at: self.path(key, in: path))
        return false
    }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type, _ key: String, of value: JSONValue, at path: String
    ) -> Choice? {
        guard let text = string(key, of: value, at: path) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        note("expected one of \(list(type)), found \(text)", at: self.path(key, in: path))
        return nil
    }

    private func list<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type
    ) -> String {
        Choice.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
