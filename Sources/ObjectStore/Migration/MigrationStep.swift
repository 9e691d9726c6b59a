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
