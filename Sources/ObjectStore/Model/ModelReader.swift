/// Reads a model in the file format and notes all that is wrong with it.
struct ModelReader {
    let root: JSONValue
    private(set) var name: String
    private(set) var problems: [ModelError.Problem] = []
    private var keys = KeyStyle.verbatim

    init(root: JSONValue, name: String) {
        self.root = root
        self.name = name
        guard root.kind == .object else {
            problems.append(.init(path: "$", message: "expected an object"))
            return
        }
        check(root, has: ["$schema", "name", "keys", "entities"], at: "")
        if let value = string("name", of: root, at: "") { self.name = value }
        if let value = choice(KeyStyle.self, "keys", of: root, at: "") { keys = value }
    }

    /// The entities that can be read.
    mutating func entities() -> [EntityDescription] {
        guard root.kind == .object else { return [] }
        guard let entities = root["entities"], entities.kind == .object else {
            problems.append(.init(path: "entities", message: "expected an object of entities"))
            return []
        }
        return members(of: entities).compactMap { name, value in
            entity(name, value, at: "entities.\(name)")
        }
    }

    private mutating func entity(
        _ name: String, _ value: JSONValue, at path: String
    ) -> EntityDescription? {
        guard isObject(value, at: path) else { return nil }
        for key in ["parent", "abstract", "mapper"] where value[key] != nil {
            problems.append(
                .init(path: "\(path).\(key)", message: "inheritance is not supported yet"))
        }
        check(
            value,
            has: [
                "identity", "attributes", "relationships", "renamedFrom", "parent", "abstract",
                "mapper",
            ], at: path)
        var identity: [String] = []
        if let list = value["identity"] {
            let names = list.elements?.map(\.string) ?? [nil]
            if names.contains(nil) {
                problems.append(
                    .init(path: "\(path).identity", message: "expected a list of attributes' names")
                )
            }
            identity = names.compactMap { $0 }
        }
        let attributes = properties("attributes", of: value, at: path).compactMap {
            attribute($0, $1, at: "\(path).attributes.\($0)")
        }
        let relationships = properties("relationships", of: value, at: path).compactMap {
            relationship($0, $1, at: "\(path).relationships.\($0)")
        }
        return EntityDescription(
            name: name, identity: identity, attributes: attributes, relationships: relationships,
            renamedFrom: string("renamedFrom", of: value, at: path))
    }

    private mutating func attribute(
        _ name: String, _ value: JSONValue, at path: String
    ) -> AttributeDescription? {
        if let text = value.string {
            let isOptional = text.hasSuffix("?")
            guard let type = type(isOptional ? String(text.dropLast()) : text, at: path) else {
                return nil
            }
            return AttributeDescription(
                name, type, isOptional: isOptional, key: keys.key(for: name))
        }
        guard isObject(value, at: path) else { return nil }
        check(
            value,
            has: [
                "type", "optional", "default", "key", "transformer", "indexed", "searchable",
                "renamedFrom",
            ], at: path)
        guard let text = string("type", of: value, at: path) else {
            if value["type"] == nil {
                problems.append(.init(path: "\(path).type", message: "required, but missing"))
            }
            return nil
        }
        let isOptional = text.hasSuffix("?")
        guard let type = type(isOptional ? String(text.dropLast()) : text, at: "\(path).type") else {
            return nil
        }
        return AttributeDescription(
            name, type, isOptional: flag("optional", of: value, at: path) || isOptional,
            key: key(of: value, named: name, at: path),
            transformer: string("transformer", of: value, at: path).map(Transformer.init(rawValue:)),
            default: defaultValue(of: value, type: type, at: path),
            isIndexed: flag("indexed", of: value, at: path),
            isSearchable: flag("searchable", of: value, at: path),
            renamedFrom: string("renamedFrom", of: value, at: path))
    }

    private mutating func relationship(
        _ name: String, _ value: JSONValue, at path: String
    ) -> RelationshipDescription? {
        guard isObject(value, at: path) else { return nil }
        check(
            value,
            has: [
                "to", "many", "optional", "ordered", "inverse", "key", "delete", "policy",
                "renamedFrom",
            ], at: path)
        guard let destination = string("to", of: value, at: path) else {
            if value["to"] == nil {
                problems.append(.init(path: "\(path).to", message: "required, but missing"))
            }
            return nil
        }
        return RelationshipDescription(
            name, to: destination, isToMany: flag("many", of: value, at: path),
            isOptional: flag("optional", of: value, at: path),
            isOrdered: flag("ordered", of: value, at: path),
            key: key(of: value, named: name, at: path),
            inverse: string("inverse", of: value, at: path),
            deleteRule: choice(DeleteRule.self, "delete", of: value, at: path) ?? .nullify,
            policy: choice(LinkPolicy.self, "policy", of: value, at: path) ?? .set,
            renamedFrom: string("renamedFrom", of: value, at: path))
    }

    // MARK: Parts

    private func members(of object: JSONValue) -> [(String, JSONValue)] {
        (object.keys ?? []).compactMap { key in object[key].map { (key, $0) } }
    }

    private mutating func properties(
        _ key: String, of value: JSONValue, at path: String
    ) -> [(String, JSONValue)] {
        guard let properties = value[key] else { return [] }
        return isObject(properties, at: "\(path).\(key)") ? members(of: properties) : []
    }

    private mutating func isObject(_ value: JSONValue, at path: String) -> Bool {
        if value.kind == .object { return true }
        problems.append(.init(path: path, message: "expected an object, found \(value.kind)"))
        return false
    }

    private mutating func check(_ value: JSONValue, has known: Set<String>, at path: String) {
        for key in value.keys ?? [] where !known.contains(key) {
            problems.append(
                .init(
                    path: path.isEmpty ? key : "\(path).\(key)",
                    message: "unknown key; expected one of \(known.sorted().joined(separator: ", "))"
                ))
        }
    }

    private mutating func string(_ key: String, of value: JSONValue, at path: String) -> String? {
        guard let member = value[key] else { return nil }
        if let string = member.string { return string }
        problems.append(
            .init(path: path.isEmpty ? key : "\(path).\(key)", message: "expected a string"))
        return nil
    }

    private mutating func flag(_ key: String, of value: JSONValue, at path: String) -> Bool {
        guard let member = value[key] else { return false }
        if let flag = member.bool { return flag }
        problems.append(.init(path: "\(path).\(key)", message: "expected true or false"))
        return false
    }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type, _ key: String, of value: JSONValue, at path: String
    ) -> Choice? {
        guard let text = string(key, of: value, at: path) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        problems.append(
            .init(
                path: path.isEmpty ? key : "\(path).\(key)",
                message: "expected one of \(choices), found \(text)"))
        return nil
    }

    private mutating func type(_ text: String, at path: String) -> AttributeType? {
        if let type = AttributeType(rawValue: text) { return type }
        let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
        problems.append(
            .init(path: path, message: "unknown type \(text); expected one of \(types)"))
        return nil
    }

    /// The key path: given, `null` for none, or made from the name.
    private mutating func key(of value: JSONValue, named name: String, at path: String) -> String? {
        guard let member = value["key"] else { return keys.key(for: name) }
        if member.isNull { return nil }
        guard let key = member.string, !key.isEmpty, !key.split(separator: ".", omittingEmptySubsequences: false).contains("")
        else {
            problems.append(
                .init(path: "\(path).key", message: "expected a dotted key path or null"))
            return nil
        }
        return key
    }

    private mutating func defaultValue(
        of value: JSONValue, type: AttributeType, at path: String
    ) -> DefaultValue? {
        guard let member = value["default"] else { return nil }
        switch member.kind {
        case .boolean: return member.bool.map(DefaultValue.boolean)
        case .string: return member.string.map(DefaultValue.string)
        case .number:
            if type == .double { return member.double.map(DefaultValue.double) }
            if let integer = member.integer { return .integer(integer) }
            return member.double.map(DefaultValue.double)
        default:
            problems.append(
                .init(
                    path: "\(path).default", message: "expected a number, a boolean or a string"))
            return nil
        }
    }
}
