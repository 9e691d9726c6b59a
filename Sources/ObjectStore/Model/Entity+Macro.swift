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
/// Each stored property becomes an attribute, or a relationship where its type is `One` or `Many`;
/// static and computed properties are ignored. A default that is a literal or a named constant
/// (`false`, `.open`) is the attribute's default in the model; other expressions are refused.
/// A property is private only to Swift: it is stored and mapped like the others. Two properties
/// cannot be read from one key path. `One` and `Many` must be spelled out: behind a `typealias`
/// they are taken for attributes.
///
/// The macro writes the conformance to `Entity` with `entityName`, `entityDescription`, `Columns`,
/// `init(row:)` and `write(to:)`. What the struct's own body has already is left out, so each of them can be
/// written by hand. The struct keeps its memberwise initializer. It cannot be generic, and it
/// cannot be declared inside a function. Where imports are internal unless said otherwise, a public
/// entity needs `public import Larder`.
///
/// - Parameters:
///   - name: The entity's name in the model; the struct's unless given.
///   - keys: How names of properties become JSON keys; `.verbatim` unless given.
///   - earlierName: The name it had in an earlier model.
@attached(member, names: named(entityName), named(entityDescription), named(Columns))
@attached(extension, conformances: Insertable, Entity, names: named(init(row:)), named(write(to:)))
public macro Entity(
    _ name: String? = nil, keys: KeyStyle = .verbatim, renamedFrom earlierName: String? = nil
) = #externalMacro(module: "LarderEntityMacros", type: "EntityMacro")
