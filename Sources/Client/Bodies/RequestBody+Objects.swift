public import LarderObjectStore

/// Objects of a store, as `ObjectReading.export` writes them: with the keys of their JSON.
///
/// The store is read when the request is built, so that what is sent is what it holds then.
extension RequestBody {
    /// Sends the object in the store that has the identity of a value, as the store has it.
    ///
    /// What was changed in the value since it was read is not sent, unless it has been saved.
    ///
    /// - Parameters:
    ///   - object: The value, of which only the identity counts.
    ///   - store: The store that holds the object; where it does not, the request is refused.
    ///   - relationships: What stands for the objects that it is linked to.
    public static func json(
        of object: some Entity, in store: Store, relationships: ExportedRelationships = .identities
    ) -> RequestBody {
        RequestBody(contentType: "application/json") {
            try store.json(of: object, relationships: relationships)
        }
    }

    /// Sends the objects that a query finds, as an array.
    public static func json(
        of query: some ObjectQuery & Sendable, in store: Store,
        relationships: ExportedRelationships = .identities
    ) -> RequestBody {
        RequestBody(contentType: "application/json") {
            try store.json(query, relationships: relationships)
        }
    }

    /// Sends objects that were read from a store, as an array.
    public static func json<Element: Entity>(
        of objects: Many<Element>, relationships: ExportedRelationships = .identities
    ) -> RequestBody {
        RequestBody(contentType: "application/json") {
            try objects.json(relationships: relationships)
        }
    }

    /// Sends an object that was read from a store.
    public static func json<Destination: Entity>(
        of object: One<Destination>, relationships: ExportedRelationships = .identities
    ) -> RequestBody {
        RequestBody(contentType: "application/json") {
            try object.json(relationships: relationships)
        }
    }
}

/// Stands where a call can't be, so that the compiler says what is wrong with it.
extension RequestBody {
    /// Says how an object is sent.
    @available(
        *, unavailable,
        message: "an entity that is not 'Encodable' is sent as a store has it: 'json(of:in:)'"
    )
    @_disfavoredOverload  // One that can be encoded is.
    public static func json(_ object: some Entity) -> RequestBody { absent }
}
