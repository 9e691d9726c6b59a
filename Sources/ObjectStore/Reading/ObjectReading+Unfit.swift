/// Stand where a call can't be, so that the compiler says what is wrong with it.
///
/// None may leave open what a right call returns: where a mistake stands behind that, as in
/// `fetch(Book.all).first?.titel`, the compiler would explain it by this one.
extension ObjectReading {
    /// Says how it is asked for whether there is an object of an entity.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'contains(Book.all)', or 'contains(Book.where { … })'"
    )
    public func contains<Object: Entity>(_ type: Object.Type) throws -> Bool { false }

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

    /// Says what is fetched.
    @available(
        *, unavailable,
        message: """
            a query is asked for: write 'fetch(Book.all)', 'fetch(Book.where { … })' or \
            'fetch(DynamicQuery("Book"))'; what a link leads to is read from the link: \
            'book.author.fetch()'; links are taken from an array: 'fetch(Array(links))'
            """
    )
    @_disfavoredOverload
    public func fetch<Other>(_ other: Other) throws -> [Other] { [] }

    /// Says how objects that meet a condition are fetched.
    @available(
        *, unavailable, message: "the condition is the query's: write 'fetch(Book.where { … })'"
    )
    @_disfavoredOverload
    public func fetch<Object: Entity>(
        _ type: Object.Type, where condition: (Object.Columns) -> Condition
    ) throws -> [Object] {
        []
    }

    /// Says what an object is found by.
    @available(
        *, unavailable,
        message: """
            an identity is asked for: write 'find(Book.self, id: 3)'; a query's first object is \
            'first(…)', a link's object 'link.find()'
            """
    )
    @_disfavoredOverload
    public func find<Other>(_ other: Other) throws -> Other? { nil }

    /// Says that nothing identifies the objects.
    @available(
        *, unavailable,
        message: """
            nothing identifies the objects of this entity: mark what does with '@Identity', or ask \
            'first(Line.where { … })'
            """
    )
    public func find<Object: Entity>(
        _ type: Object.Type = Object.self, id: some AttributeValue
    ) throws -> Object? where Object.ObjectID == Never {
        nil
    }

    /// Says that an identity is of another type.
    @available(
        *, unavailable,
        message:
            "the identity is of another type than the entity's 'ObjectID', that of its '@Identity'"
    )
    @_disfavoredOverload
    public func find<Object: Entity>(
        _ type: Object.Type = Object.self, id: some AttributeValue
    ) throws -> Object? where Object.ObjectID: AttributeValue {
        nil
    }

    /// Says how the parts of an identity are named.
    @available(
        *, unavailable,
        message:
            "name the parts of the identity: 'find(Card.self, id: .init(suit: \"hearts\", rank: 1))'"
    )
    public func find<Object: Entity>(
        _ type: Object.Type = Object.self, id first: some AttributeValue,
        _ others: any AttributeValue...
    ) throws -> Object? where Object.ObjectID: CompositeIdentity {
        nil
    }

    /// Says how the object of a link is found.
    @available(
        *, unavailable, message: "a link finds its own object: write 'book.author?.find()'"
    )
    @_disfavoredOverload
    public func find<Object: Entity>(
        _ type: Object.Type = Object.self, id link: One<Object>?
    ) throws -> Object? {
        nil
    }
}
