/// A type whose values come about by writing JSON into a store.
///
/// Entities are, and what is made of them: `Many`, arrays, optionals and wrappers.
public protocol Importable: Sendable {
    /// Writes the objects of a JSON value into the store and returns what they make.
    ///
    /// Who calls it for a part of what it writes itself must not go on without it: where a part can't
    /// be written, the whole fails by its error, even if that is caught. To try a part and fall back to
    /// something else, write it with ``ObjectWriting/import(_:from:at:)->Value``, of which nothing is left where it fails.
    ///
    /// - Throws: `MappingError` where the JSON does not fit the model, `DecodingError` where a
    ///   wrapper can't be read, `StoreError` where the store can't be written.
    static func `import`(from value: JSONValue, in context: Context) throws -> Self

    /// Writes the elements of an array; null elements are passed over.
    ///
    /// Types need not have this: entities do, to be read when they are asked for.
    static func importMany(from array: JSONValue, in context: Context) throws -> Many<Self>

    /// Writes the elements of an array and returns what they make; null elements are passed over.
    ///
    /// Types need not have this: entities do, to be read back in one query.
    static func importAll(from array: JSONValue, in context: Context) throws -> [Self]

    /// Writes a JSON value that is not null and returns what it makes, nil where that has not arrived.
    ///
    /// Types need not have this: entities do, for bare identities.
    static func importIfAny(from value: JSONValue, in context: Context) throws -> Self?
}

extension Importable {
    /// Writes the value.
    public static func importIfAny(
        from value: JSONValue, in context: Context
    ) throws -> Self? {
        try `import`(from: value, in: context)
    }

    /// Writes the elements of an array, one after the other.
    public static func importMany(
        from array: JSONValue, in context: Context
    ) throws -> Many<Self> {
        Many(content: .values(try importAll(from: array, in: context)))
    }

    /// Writes the elements of an array, one after the other.
    public static func importAll(from array: JSONValue, in context: Context) throws -> [Self] {
        guard array.kind == .array else {
            throw DecodingError.typeMismatch(
                [Self].self,
                DecodingError.Context(
                    codingPath: [],
                    debugDescription:
                        "expected an array at \(array.path), found \(array.kind.rawValue)"))
        }
        var values: [Self] = []
        try context.importingPart {
            try context.imports.placed(as: .wrapped) {
                try array.forEachElement { element in
                    try context.imports.checkCancellation()
                    if !element.isNull { values.append(try `import`(from: element, in: context)) }
                }
            }
        }
        return values
    }
}

extension Entity {
    /// Writes an object, or finds the one that a bare identity refers to, and reads it back; one that has
    /// not arrived is an error, since there is no object to give.
    public static func `import`(from value: JSONValue, in context: Context) throws -> Self {
        let row = try context.map(value, as: entityName)
        return try context.object(Self.self, row: row)
    }

    /// Writes an object, or finds or makes what a bare identity refers to; nil where it has not arrived, or
    /// says that it is gone.
    public static func importIfAny(
        from value: JSONValue, in context: Context
    ) throws -> Self? {
        try context.mapIfAny(value, as: entityName)
            .flatMap { try context.objectIfAny(Self.self, row: $0) }
    }

    /// Writes the objects of an array; an object that stands in it twice is one.
    public static func importMany(
        from array: JSONValue, in context: Context
    ) throws -> Many<Self> {
        Many(
            content: .rows(
                try context.mapElements(of: array, as: entityName), context.store,
                elementCount: try context.elementCount(of: array, as: entityName)))
    }

    /// Writes the objects of an array and reads them back in one query; those that bare identities
    /// refer to are left out where they have not arrived.
    public static func importAll(from array: JSONValue, in context: Context) throws -> [Self] {
        if let objects = try context.imports.replayed(Self.self, of: array) { return objects }
        return try context.objects(Self.self, rows: context.mapElements(of: array, as: entityName))
    }
}

extension Optional: Importable where Wrapped: Importable {
    /// Writes a value; `null` makes nil, and so does the identity of an object that has not arrived.
    public static func `import`(from value: JSONValue, in context: Context) throws -> Wrapped? {
        value.isNull ? nil : try Wrapped.importIfAny(from: value, in: context)
    }
}

extension Array: Importable where Element: Importable {
    /// Writes the elements of an array in its order; null elements are passed over.
    public static func `import`(from value: JSONValue, in context: Context) throws -> [Element] {
        try Element.importAll(from: value, in: context)
    }
}
