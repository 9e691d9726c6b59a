import Foundation

/// The entities of one store and how JSON maps to them.
///
/// A model is a value: it is built from types marked `@Entity`, from a model file, or by hand, and
/// equal models mean the same whichever way they came about.
public struct Model: Sendable {
    /// The name, shown in errors.
    public let name: String
    /// The entities, sorted by name.
    public let entities: [EntityDescription]

    /// Builds a model from descriptions of its entities.
    ///
    /// - Throws: `ModelError` with all that is wrong with them.
    public init(name: String, entities: [EntityDescription]) throws(ModelError) {
        try self.init(name: name, entities: entities, types: [])
    }

    /// - Parameter repeated: The names of types that are listed more than once.
    private init(
        name: String, entities: [EntityDescription], types: [any Entity.Type],
        repeated: [String] = []
    ) throws(ModelError) {
        let entities = entities.sorted { $0.name < $1.name }
        let problems =
            repeated.map { .init(path: "entities.\($0)", message: "the type is listed twice") }
            + ModelCheck(entities: entities).problems()
            + InheritanceCheck(entities).problems(of: types)
        if !problems.isEmpty { throw ModelError(model: name, problems: problems) }
        self.name = name
        self.entities = entities
    }

    /// Builds a model from the types of its entities; parents come along with them.
    ///
    /// - Throws: `ModelError` with all that is wrong with them.
    public init(name: String = "Model", entities: any Entity.Type...) throws(ModelError) {
        try self.init(name: name, entities: entities)
    }

    /// Builds a model from a list of the types of its entities; parents come along with them.
    ///
    /// - Throws: `ModelError` with all that is wrong with them.
    public init(name: String = "Model", entities: [any Entity.Type]) throws(ModelError) {
        let types = Self.withParents(entities)
        let listed = Dictionary(grouping: entities) { ObjectIdentifier($0) }
        let repeated = types.filter { listed[ObjectIdentifier($0), default: []].count > 1 }
        try self.init(
            name: name, entities: types.map { Self.description(of: $0) }, types: types,
            repeated: repeated.map { $0.entityDescription.name })
    }

    private static func withParents(_ types: [any Entity.Type]) -> [any Entity.Type] {
        var known: Set<ObjectIdentifier> = []
        var all = types.filter { known.insert(ObjectIdentifier($0)).inserted }
        for type in types {
            var next = type.parentType
            while let parent = next, known.insert(ObjectIdentifier(parent)).inserted {
                all.append(parent)
                next = parent.parentType
            }
        }
        return all
    }

    private static func description<Object: Entity>(of type: Object.Type) -> EntityDescription {
        var description = type.entityDescription
        description.rules = ObjectRules(type)
        return description
    }

    /// The description of an entity, nil where the model has none of that name.
    public subscript(entity name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }
}

extension Model: Hashable {
    /// Compares the entities; the name is only for people.
    public static func == (left: Model, right: Model) -> Bool {
        left.entities == right.entities
    }

    /// Hashes the entities.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entities)
    }
}

extension Model: Decodable {
    /// Reads a model in the file format.
    ///
    /// - Throws: `ModelError` with all that is wrong with it, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            try self.init(decoder.value, name: "Model")
        } else {
            try self.init(json: JSONEncoder().encode(Tree(from: decoder)))
        }
    }

    /// JSON on its way from another decoder to one that can report all problems at once.
    private enum Tree: Codable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case double(Double)
        case string(String)
        case array([Tree])
        case object([String: Tree])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Tree].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Tree].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let value): try container.encode(value)
            case .object(let value): try container.encode(value)
            }
        }
    }
}

/// All that is wrong with a model.
public struct ModelError: Error, Hashable, Sendable {
    /// One thing that is wrong, and where.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The place in the model, such as `entities.Issue.relationships.user`.
        public let path: String
        /// The mistake there, and what was expected.
        public let message: String

        /// The place and what is wrong there.
        public var description: String { "\(path): \(message)" }
    }

    /// The name of the model, or of its file.
    public let model: String
    /// The problems of form in the order of the file, then those of meaning, entity by entity.
    public let problems: [Problem]
}

extension ModelError: CustomStringConvertible {
    /// A line for each problem.
    public var description: String {
        // One that was given no name has this one.
        "The model\(model == "Model" ? "" : " \(model)") can't be used:"
            + problems.map { "\n  \($0)" }.joined()
    }
}
