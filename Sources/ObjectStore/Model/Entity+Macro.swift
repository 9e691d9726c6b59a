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
/// `init(row:)` and `write(to:)`, and for a sub-entity `parentType` and `inheritedProperties`. What
/// the struct's own body has already is left out, so each of them can be written by hand. The struct keeps its memberwise initializer. It cannot be generic, and it
/// cannot be declared inside a function. Where imports are internal unless said otherwise, a public
/// entity needs `public import Larder`.
///
/// - Parameters:
///   - name: The entity's name in the model; the struct's unless given.
///   - keys: How names of properties become JSON keys; `.verbatim` unless given.
///   - parent: The entity that it inherits from, a type spelled out.
///   - isAbstract: Whether there are only objects of its sub-entities.
///   - mapper: What picks the sub-entity of a new object.
///   - transformer: What rewrites an object's JSON before all else.
///   - earlierName: The name it had in an earlier model.
@attached(
    member, names: named(entityName), named(parentType), named(inheritedProperties),
    named(entityDescription), named(Columns))
@attached(extension, conformances: Insertable, Entity, names: named(init(row:)), named(write(to:)))
public macro Entity(
    _ name: String? = nil, keys: KeyStyle = .verbatim, parent: (any Entity.Type)? = nil,
    abstract isAbstract: Bool = false, mapper: EntityMapper? = nil,
    transformer: ObjectTransformer? = nil, renamedFrom earlierName: String? = nil
) = #externalMacro(module: "LarderEntityMacros", type: "EntityMacro")
