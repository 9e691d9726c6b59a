public import Foundation

extension Model {
    /// Reads a model file.
    ///
    /// - Throws: `JSONError` with the file's path where it is not JSON, `ModelError` with the
    ///   file's name and all that is wrong with it, or the error of the file system.
    public init(contentsOf file: URL) throws {
        let document: JSONDocument
        do {
            document = try JSONDocument(Data(contentsOf: file))
        } catch var error as JSONError {
            error.file = file.path(percentEncoded: false)
            throw error
        }
        try self.init(
            document.root, name: file.deletingPathExtension().lastPathComponent,
            file: file.lastPathComponent)
    }

    /// Reads a model in the file format.
    ///
    /// - Parameter name: The model's name where the JSON does not give one.
    /// - Throws: `JSONError` where it is not JSON, `ModelError` with all that is wrong with it.
    public init(json: Data, name: String = "Model") throws {
        try self.init(JSONDocument(json).root, name: name)
    }

    /// Reads a model from a part of a document; errors name the file, or the model where it is
    /// from none.
    init(_ value: JSONValue, name: String, file: String? = nil) throws(ModelError) {
        var reader = ModelReader(root: value, name: name)
        let entities = reader.entities()
        let problems =
            reader.problems + ModelCheck(entities: entities, unread: reader.unread).problems()
        guard problems.isEmpty else {
            throw ModelError(model: file ?? reader.name, problems: problems)
        }
        try self.init(name: reader.name, entities: entities)
    }

    /// The model in the file format, its keys sorted.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension Model: Encodable {
    private enum Key: String, CodingKey { case name, entities }

    /// A key of an object whose members have names of their own.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Writes the model in the file format, each property with its key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        var entities = container.nestedContainer(keyedBy: Name.self, forKey: .entities)
        for description in self.entities {
            var entity = entities.nestedContainer(
                keyedBy: Name.self, forKey: Name(description.name))
            try Self.encodeInheritance(of: description, in: &entity)
            try entity.encode(description.identity, forKey: Name("identity"))
            try entity.encodeIfPresent(description.transformer?.name, forKey: Name("transformer"))
            try entity.encodeIfPresent(description.renamedFrom, forKey: Name("renamedFrom"))
            var attributes = entity.nestedContainer(
                keyedBy: Name.self, forKey: Name("attributes"))
            for attribute in description.attributes {
                var properties = attributes.nestedContainer(
                    keyedBy: Name.self, forKey: Name(attribute.name))
                try Self.encode(attribute, in: &properties)
            }
            var relationships = entity.nestedContainer(
                keyedBy: Name.self, forKey: Name("relationships"))
            for relationship in description.relationships {
                var properties = relationships.nestedContainer(
                    keyedBy: Name.self, forKey: Name(relationship.name))
                try Self.encode(relationship, in: &properties)
            }
        }
    }

    private static func encodeInheritance(
        of description: EntityDescription, in entity: inout KeyedEncodingContainer<Name>
    ) throws {
        try entity.encodeIfPresent(description.parent, forKey: Name("parent"))
        if description.isAbstract { try entity.encode(true, forKey: Name("abstract")) }
        try entity.encodeIfPresent(description.mapper, forKey: Name("mapper"))
        try entity.encodeIfPresent(description.tombstone, forKey: Name("tombstone"))
        if description.hasFetchedAt { try entity.encode(true, forKey: Name("fetchedAt")) }
    }

    private static func encode(
        _ attribute: AttributeDescription, in properties: inout KeyedEncodingContainer<Name>
    ) throws {
        try properties.encode(attribute.type, forKey: Name("type"))
        try properties.encode(attribute.key, forKey: Name("key"))
        if attribute.isOptional { try properties.encode(true, forKey: Name("optional")) }
        try properties.encodeIfPresent(attribute.defaultValue, forKey: Name("default"))
        if attribute.transformer != attribute.type.defaultTransformer {
            try properties.encodeIfPresent(
                attribute.transformer?.rawValue, forKey: Name("transformer"))
        }
        if attribute.isIndexed { try properties.encode(true, forKey: Name("indexed")) }
        if attribute.isSearchable { try properties.encode(true, forKey: Name("searchable")) }
        try properties.encodeIfPresent(attribute.renamedFrom, forKey: Name("renamedFrom"))
    }

    private static func encode(
        _ relationship: RelationshipDescription,
        in properties: inout KeyedEncodingContainer<Name>
    ) throws {
        try properties.encode(relationship.destination, forKey: Name("to"))
        try properties.encode(relationship.key, forKey: Name("key"))
        if relationship.isToMany { try properties.encode(true, forKey: Name("many")) }
        if relationship.isOptional { try properties.encode(true, forKey: Name("optional")) }
        if relationship.isOrdered { try properties.encode(true, forKey: Name("ordered")) }
        try properties.encodeIfPresent(relationship.inverse, forKey: Name("inverse"))
        if relationship.deleteRule != .nullify {
            try properties.encode(relationship.deleteRule, forKey: Name("delete"))
        }
        if relationship.isPartial { try properties.encode(true, forKey: Name("partial")) }
        if relationship.policy != .set {
            try properties.encode(relationship.policy, forKey: Name("policy"))
        }
        try properties.encodeIfPresent(relationship.renamedFrom, forKey: Name("renamedFrom"))
    }
}
