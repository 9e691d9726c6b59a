/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension ObjectReading {
    /// Says how all objects of an entity are fetched.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'fetch(Book.all)', or 'fetch(Book.where { … })'"
    )
    public func fetch<Object: Entity>(_ type: Object.Type) throws -> [Object] { [] }

    /// Says how all objects of an entity are fetched.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'fetch(Book.all)', or 'fetch(Book.where { … })'"
    )
    public func fetch<Object: Entity>(_ type: [Object].Type) throws -> [Object] { [] }

    /// Says how the first object of an entity is fetched.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'first(Book.all)', or 'first(Book.where { … })'"
    )
    public func first<Object: Entity>(_ type: Object.Type) throws -> Object? { nil }

    /// Says how the objects of an entity are counted.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'count(Book.all)', or 'count(Book.where { … })'"
    )
    public func count<Object: Entity>(_ type: Object.Type) throws -> Int { 0 }
}

extension Store {
    /// Says how all objects of an entity are observed.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'observe(Book.all)', or 'observe(Book.where { … })'"
    )
    public func observe<Object: Entity>(_ type: Object.Type) -> LiveObjects<Object> {
        observe(Object.all)
    }
}
