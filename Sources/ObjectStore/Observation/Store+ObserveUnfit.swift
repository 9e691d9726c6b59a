/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension Store {
    // Were it generic, the compiler would explain a mistake behind a right call by it.

    /// Says how all objects of an entity are observed.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'observe(Book.all)', or 'observe(Book.where { … })'"
    )
    public func observe(_ type: any Entity.Type) -> LiveValue<[any Entity]> {
        observe { (_: Snapshot) in [any Entity]() }
    }

    /// Says how objects are observed whose entity is known by its name.
    @available(
        *, unavailable,
        message: """
            a closure reads them: write 'observe { try $0.fetch(DynamicQuery("Book")) }'
            """
    )
    public func observe(_ query: DynamicQuery) -> LiveValue<[DynamicObject]> {
        observe { (_: Snapshot) in [DynamicObject]() }
    }

    /// Says how calls are begun.
    @available(
        *, unavailable,
        message: "write 'observe(Book.all).start { … }', and keep what it returns"
    )
    @_disfavoredOverload
    public func observe<Object: Entity>(
        _ query: Query<Object>, _ onChange: @escaping @Sendable ([Object]) -> Void
    ) {}
}
