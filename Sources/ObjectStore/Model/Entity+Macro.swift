/// Makes a struct an entity: an object that a store keeps and JSON is mapped to.
///
/// ```swift
/// @Entity struct Issue {
///     @Identity var id: Int
///     var title: String
///     @Attribute("created_at", .iso8601) var createdAt: Date
///     var locked = false
///     var user: One<User>
///     var labels: Many<Label>
/// }
/// ```
///
/// An attribute can be a value of a type that conforms to `AttributeValue`: a number, text, a date,
/// a URL, an enum of a raw value; or what is kept as JSON: an array, a dictionary with strings as
/// keys, a type that conforms to `JSONAttribute`.
///
/// Each stored property becomes an attribute, or a relationship where its type is `One` or `Many`;
/// static and computed properties are ignored. A default that is a literal or a named constant
/// (`false`, `.open`) is the attribute's default in the model; other expressions are refused.
/// A property is private only to Swift: it is stored and mapped like the others. Two properties
/// cannot be read from one key path. `One` and `Many` must be spelled out: behind a `typealias`
/// they are taken for attributes.
///
/// A sub-entity names its parent and reads what it inherits by `@Inherited`:
///
/// ```swift
/// @Entity(abstract: true, mapper: EntityMapper(key: "type", values: ["text": "TextMessage"]))
/// struct Message {
///     @Identity var id: Int
/// }
///
/// @Entity(parent: Message.self) struct TextMessage {
///     @Inherited var id: Int
///     var text: String
/// }
/// ```
///
/// The macro writes the conformance to `Entity` with `entityName`, `entityDescription`, `Columns`,
/// `ObjectID`, `init(row:)` and `write(to:)`, and for a sub-entity `parentType` and
/// `inheritedProperties`. What the struct's own body has already is left out, so each of them can be
/// written by hand. The struct keeps its memberwise
/// initializer.
///
/// `ObjectID` is the type of the property marked `@Identity`, a struct of those that are, or the
/// parent's. It is ``IdentityValues`` where a marked property is less visible than the entity, where a
/// sub-entity marks one, and where the description is written by hand unless just one is marked.
/// Written by hand it can be any ``ObjectIdentity``, and it has to be where more see the entity than see
/// its parent: `public typealias ObjectID = Int`.
///
/// An entity cannot be generic, and it cannot be declared inside a function. Where imports are
/// internal unless said otherwise, a public entity needs `public import Larder`, and that of
/// Foundation where one of its types is the identity.
///
/// - Parameters:
///   - name: The entity's name in the model; the struct's unless given.
///   - keys: How names of properties become JSON keys; `.verbatim` unless given.
///   - parent: The entity that it inherits from, a type spelled out.
///   - isAbstract: Whether there are only objects of its sub-entities.
///   - mapper: What picks the sub-entity of a new object.
///   - transformer: What rewrites an object's JSON before all else.
///   - earlierName: The name it had in an earlier model.
///   - tombstone: The dotted key path at which an object's JSON says that it is gone, by `true`, a date, or
///     anything else that says yes: then it is deleted, or never comes to be.
///   - hasFetchedAt: Whether the store keeps when an object was last fetched, which queries then name as
///     `fetchedAt` and evictions go by; `true` or `false` spelled out. Sub-entities inherit it, and have the
///     column in their queries where they say so, too.
@attached(
    member, names: named(entityName), named(parentType), named(inheritedProperties),
    named(entityDescription), named(Columns), named(ObjectID))
@attached(extension, conformances: Importable, Entity, names: named(init(row:)), named(write(to:)))
public macro Entity(
    _ name: String? = nil, keys: KeyStyle = .verbatim, parent: (any Entity.Type)? = nil,
    abstract isAbstract: Bool = false, mapper: EntityMapper? = nil,
    transformer: ObjectTransformer? = nil, renamedFrom earlierName: String? = nil,
    tombstone: String? = nil, fetchedAt hasFetchedAt: Bool = false
) = #externalMacro(module: "LarderEntityMacros", type: "EntityMacro")

/// Marks a property by which two JSON objects are known to be the same object.
///
/// Several properties may carry it; together they are the identity.
@attached(peer)
public macro Identity() = #externalMacro(module: "LarderEntityMacros", type: "IdentityMacro")

/// Marks a property of a sub-entity that the parent, or an ancestor further up, has described.
///
/// The parent says what there is to say of it: key, default, identity. It may be left out of the
/// sub-entity's struct, whose columns then lack it too.
@attached(peer)
public macro Inherited() = #externalMacro(module: "LarderEntityMacros", type: "InheritedMacro")

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
