/// Says where the JSON has an attribute, and how the store keeps it.
///
/// - Parameters:
///   - keyPath: The dotted key path, a string literal; the property's name, by the entity's style
///     of keys, unless given.
///   - transformer: The conversion between JSON and value; by the attribute's type unless given.
///   - isIndexed: Whether queries by it are helped by an index.
///   - isSearchable: Whether it takes part in full-text search.
///   - earlierName: The name it had in an earlier model.
///   - isMapped: Whether JSON has it at all, `true` or `false` spelled out.
@attached(peer)
public macro Attribute(
    _ keyPath: String? = nil, _ transformer: Transformer? = nil, indexed isIndexed: Bool = false,
    searchable isSearchable: Bool = false, renamedFrom earlierName: String? = nil,
    mapped isMapped: Bool = true
) = #externalMacro(module: "LarderEntityMacros", type: "AttributeMacro")

/// Says how an attribute is converted from JSON and back, and how the store keeps it.
///
/// - Parameters:
///   - transformer: The conversion between JSON and value.
///   - isIndexed: Whether queries by it are helped by an index.
///   - isSearchable: Whether it takes part in full-text search.
///   - earlierName: The name it had in an earlier model.
@attached(peer)
public macro Attribute(
    _ transformer: Transformer, indexed isIndexed: Bool = false,
    searchable isSearchable: Bool = false, renamedFrom earlierName: String? = nil
) = #externalMacro(module: "LarderEntityMacros", type: "AttributeMacro")
