/// The steps and possible losses of a migration, worked out from the two models alone.
public struct MigrationPlan: Hashable, Sendable {
    /// The steps, entity by entity.
    public let steps: [MigrationStep]
    /// The losses that are possible; which occur, and how great, depends on what the store holds.
    public let possibleLosses: [MigrationLoss]

    /// Compares two models.
    public init(from old: Model, to new: Model) {
        self.init(ModelMapping(from: old, to: new))
    }

    init(_ mapping: ModelMapping) {
        var planner = MigrationPlanner(mapping)
        planner.plan()
        steps = planner.steps
        possibleLosses = planner.losses
    }

    /// Whether the models mean the same for the store.
    public var isEmpty: Bool { steps.isEmpty }
}

extension MigrationPlan: CustomStringConvertible {
    /// A line for each step, then one for each possible loss.
    public var description: String {
        if isEmpty { return "nothing to do" }
        return (steps.map(\.description) + possibleLosses.map { "may lose \($0)" })
            .joined(separator: "\n")
    }
}

/// One thing that a migration does.
public enum MigrationStep: Hashable, Sendable {
    /// A new entity, attribute or relationship.
    case add(ModelPart)
    /// Something that the new model does not have.
    case remove(ModelPart)
    /// Another name; the part is the one of the new model.
    case rename(ModelPart, from: String)
    /// Another type of an attribute.
    case convert(ModelPart, from: AttributeType, to: AttributeType)
    /// Any other change, such as `optional`, `default`, `index`, `identity`, `inverse`.
    case change(ModelPart, String)
}

extension MigrationStep: CustomStringConvertible {
    /// A few words on what is done.
    public var description: String {
        switch self {
        case .add(let part): "add \(part)"
        case .remove(let part): "remove \(part)"
        case .rename(let part, let name): "rename \(name) to \(part)"
        case .convert(let part, let old, let new):
            "convert \(part) from \(old.rawValue) to \(new.rawValue)"
        case .change(let part, let what): "change \(part): \(what)"
        }
    }
}

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
