/// A kind of object that a store keeps.
///
/// `@Entity` writes all that is asked for here; it can as well be written by hand. A value of an
/// entity holds what an object was when it was read: it never changes behind its owner's back.
public protocol Entity: Importable {
    /// The columns that queries over this entity are made of.
    associatedtype Columns: EntityColumns

    /// What identifies an object, such as `Int`; any values unless said otherwise.
    associatedtype ObjectID: ObjectIdentity = IdentityValues

    /// The entity's name in the model.
    static var entityName: String { get }

    /// The description that the store works from: identity, attributes, relationships.
    ///
    /// A sub-entity describes its own attributes and relationships only.
    static var entityDescription: EntityDescription { get }

    /// The entity that this one inherits from; none unless said otherwise.
    static var parentType: (any Entity.Type)? { get }

    /// The attributes and relationships of ancestors that `init(row:)` reads; none unless said
    /// otherwise.
    static var inheritedProperties: [InheritedProperty] { get }

    /// The conditions that an inserted or updated object must meet; none unless said otherwise.
    static var rules: [Rule<Self>] { get }

    /// The name of the property at a key path, which Foundation's predicates are translated by.
    ///
    /// Types need not have this unless a property has observers.
    static func propertyName(of keyPath: PartialKeyPath<Self>) -> String?

    /// Reads an object from a row.
    ///
    /// - Throws: `StoreError` where a column does not hold what the entity says.
    init(row: EntityRow) throws

    /// Reads the objects of all rows that a query finds.
    ///
    /// Types need not have this: it is a loop over `init(row:)`, compiled with the type.
    ///
    /// - Throws: `StoreError` where a row can't be read.
    static func objects(in rows: EntityRows) throws -> [Self]

    /// Hands over what the object holds, to be written into a store: the counterpart of
    /// `init(row:)`, by the same indices and names.
    ///
    /// Types that are only read need not have this.
    ///
    /// - Throws: `WritingError` where the store can't keep a value.
    func write(to values: inout EntityValues) throws
}

extension Entity {
    /// Reads each row.
    @inlinable
    public static func objects(in rows: EntityRows) throws -> [Self] {
        var objects: [Self] = []
        while try rows.next() { objects.append(try Self(row: rows.row)) }
        return objects
    }

    /// Throws: the entity can only be read.
    public func write(to values: inout EntityValues) throws {
        throw WritingError(entity: Self.entityName, reason: .notWritable)
    }
}

extension Entity {
    /// None: most entities stand for themselves.
    public static var parentType: (any Entity.Type)? { nil }

    /// None.
    public static var inheritedProperties: [InheritedProperty] { [] }

    /// None.
    public static var rules: [Rule<Self>] { [] }

    /// The name that Swift keeps of a stored property; nil for those with observers.
    public static func propertyName(of keyPath: PartialKeyPath<Self>) -> String? {
        describedName(of: keyPath)
    }
}
