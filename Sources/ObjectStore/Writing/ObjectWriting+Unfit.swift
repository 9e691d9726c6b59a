/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension ObjectWriting {
    /// Says how a type is named that JSON makes.
    @available(
        *, unavailable,
        message: "say what the JSON makes: write 'import([Book].self, from: json)'"
    )
    @discardableResult
    @_disfavoredOverload
    public func `import`(
        from json: some JSONSource, at keyPath: String? = nil
    ) throws -> [JSONValue] {
        []
    }

    /// Says how all objects of an entity are deleted.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'delete(Book.all)', or 'delete(Book.where { … })'"
    )
    @discardableResult
    public func delete<Object: Entity>(_ type: Object.Type) throws -> Int { 0 }

    /// Says how one object of an identity is deleted.
    @available(
        *, unavailable, message: "a link names it: write 'delete(One<Book>(id: 3))'"
    )
    @discardableResult
    public func delete<Object: Entity>(
        _ type: Object.Type, id values: any AttributeValue...
    ) throws -> Int {
        0
    }

    /// Says what can be deleted.
    @available(
        *, unavailable,
        message: """
            an object, a 'One', objects of one entity or a query is deleted; of a 'Many' write \
            'delete(many.fetch())'
            """
    )
    @discardableResult
    @_disfavoredOverload
    public func delete<Other>(_ other: Other) throws -> Int { 0 }

    /// Says what can be saved.
    @available(
        *, unavailable,
        message: """
            an object is saved, or objects of one entity; JSON is imported: \
            'import(Book.self, from: json)'
            """
    )
    @discardableResult
    @_disfavoredOverload
    public func save<Other>(_ other: Other) throws -> Other { other }

    /// Says how JSON is stored.
    @available(
        *, unavailable, message: "JSON is imported: write 'import(Book.self, from: json)'"
    )
    @discardableResult
    @_disfavoredOverload
    public func save<Value: Importable>(
        _ type: Value.Type, from json: some JSONSource, at keyPath: String? = nil
    ) throws -> Value {
        try `import`(type, from: json, at: keyPath)
    }

    /// Says what is imported.
    @available(
        *, unavailable,
        message: """
            say what the JSON makes: write 'import([Book].self, from: json)'; objects are saved: \
            'save(book)'
            """
    )
    @discardableResult
    @_disfavoredOverload
    public func `import`<Other>(_ other: Other) throws -> Other { other }

    /// Says what JSON is.
    @available(
        *, unavailable,
        message: """
            JSON is 'Data', text, a 'JSONDocument' or a 'JSONValue'; a file is \
            'JSONDocument(contentsOf: url)', and objects are saved: 'save(book)'
            """
    )
    @discardableResult
    @_disfavoredOverload
    public func `import`<Value: Importable, Source>(
        _ type: Value.Type = Value.self, from json: Source, at keyPath: String? = nil
    ) throws -> Value {
        throw CancellationError()
    }

    /// Says what can be updated.
    @available(
        *, unavailable,
        message: """
            one object is updated, or what a query finds: 'update(Book.all) { $0.pages.set(3) }'; \
            several objects are saved: 'save(books)'
            """
    )
    @discardableResult
    @_disfavoredOverload
    public func update<Other>(_ other: Other) throws -> Other { other }

    /// Says how the objects are named that are updated.
    @available(
        *, unavailable, message: "a query is asked for: write 'update(Book.all) { … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func update<Object: Entity>(
        _ type: Object.Type,
        @ColumnAssignmentBuilder _ assignments: (Object.Columns) throws -> [ColumnAssignment]
    ) throws -> Int {
        0
    }
}

extension Column where Value: AttributeValue {
    /// Says that the types differ.
    @available(*, unavailable, message: "the attribute is of another type than this value")
    @_disfavoredOverload
    public func set<Other: AttributeValue>(_ value: Other) -> ColumnAssignment {
        ColumnAssignment(target: expression, source: .value(.null))
    }

    /// Says that there is always a value.
    @available(
        *, unavailable, message: "the attribute is never empty, as its type is not an optional"
    )
    @_disfavoredOverload
    public func set(_ nothing: Never?) -> ColumnAssignment {
        ColumnAssignment(target: expression, source: .value(.null))
    }
}

extension ColumnAssignmentBuilder {
    /// Says how a column is given a value.
    @available(
        *, unavailable,
        message: "a column is given a value by '$0.pages.set(3)' or '$0.pages.increment()'"
    )
    @_disfavoredOverload
    public static func buildExpression<Other>(_ other: Other) -> [ColumnAssignment] { [] }
}
