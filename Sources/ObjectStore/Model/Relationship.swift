/// Says where the JSON has the objects of a relationship, and how the links are kept.
///
/// - Parameters:
///   - keyPath: The dotted key path, a string literal; the property's name, by the entity's style
///     of keys, unless given.
///   - inverse: The name of the relationship that leads back, which has to name this one in turn.
///   - isOrdered: Whether a `Many` keeps the order of the JSON; `false` where its inverse is a `One`,
///     in whose column the link is.
///   - deleteRule: What happens to the linked objects when this end is deleted.
///   - policy: What an array in the JSON does to the links of a `Many`.
///   - isPartial: Whether an object in the JSON that has nothing of what is required but its identity,
///     such as `{"name": "bulbasaur", "url": "…"}`, is a reference.
///   - earlierName: The name it had in an earlier model.
///   - isMapped: Whether JSON has it at all, `true` or `false` spelled out.
@attached(peer)
public macro Relationship(
    _ keyPath: String? = nil, inverse: String? = nil, ordered isOrdered: Bool = true,
    delete deleteRule: DeleteRule = .nullify, policy: LinkPolicy = .set,
    partial isPartial: Bool = false,
    renamedFrom earlierName: String? = nil, mapped isMapped: Bool = true
) = #externalMacro(module: "LarderEntityMacros", type: "RelationshipMacro")
