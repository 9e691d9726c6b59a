/// A part of a model, by its name.
public enum ModelPart: Hashable, Sendable {
    /// An entity, such as `Issue`.
    case entity(String)
    /// An attribute with its entity, such as `Issue.body`.
    case attribute(String)
    /// A relationship with its entity, such as `Issue.user`.
    case relationship(String)
}

extension ModelPart: CustomStringConvertible {
    /// The name.
    public var description: String {
        switch self {
        case .entity(let name), .attribute(let name), .relationship(let name): name
        }
    }
}

extension ModelPart {
    static func attribute(_ entity: String, _ name: String) -> ModelPart {
        .attribute("\(entity).\(name)")
    }

    static func relationship(_ entity: String, _ name: String) -> ModelPart {
        .relationship("\(entity).\(name)")
    }

    /// The entity's name.
    var entityName: String {
        String(description.prefix { $0 != "." })
    }

    /// The property's name, empty for an entity.
    var propertyName: String {
        String(description.drop { $0 != "." }.dropFirst())
    }
}
