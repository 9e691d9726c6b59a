/// Imports of lists that are the whole of something.
extension Context {
    /// Runs a body that imports a document, and then has go what that shows to have vanished.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - list: The value in it that is imported.
    ///   - candidates: What the store had when the document was asked for; what it has now where nobody asked.
    ///   - isWhole: Whether nothing but the document says that there is more.
    ///   - isCurrent: Whether it is of now.
    ///   - note: Takes what the document names.
    func completing<Result>(
        _ completeness: Completeness, by document: JSONValue, at list: JSONValue,
        besides candidates: VanishingCandidates? = nil, isWhole: Bool = true,
        isCurrent: Bool = true, noting note: ((ListedObjects) -> Void)? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        if completeness.isPartial { return try body() }
        let candidates = try candidates ?? VanishingCandidates(of: completeness, in: self)
        let (result, objects) = try listing(completeness, list, body)
        note?(objects)
        imports.arrivedLists = objects.lists(in: store.plan)
        let vanishing = Vanishing(context: self, completeness: completeness)
        let isAll = isWhole && !completeness.saysMore(document)
        if isAll, isCurrent {
            imports.arrivedLists.wholeScopes = try vanishing.apply(objects, besides: candidates)
        } else {
            imports.arrivedLists.wholeScopes = 0
            if isAll { try vanishing.replaceUnidentified(by: objects, besides: candidates) }
            try vanishing.note(objects)
        }
        try vanishing.checkOwners(of: objects)
        return result
    }

    /// The same of a value, with its objects as they are once that has gone, links have been made and marks given.
    ///
    /// A type that imports in a way of its own does so once, as it may look at what is there, and write.
    func completing<Value: Importable>(
        _ completeness: Completeness, of type: Value.Type, by document: JSONValue,
        at value: JSONValue, besides candidates: VanishingCandidates? = nil, isWhole: Bool = true,
        isCurrent: Bool = true, noting note: ((ListedObjects) -> Void)? = nil,
        _ body: () throws -> Value
    ) throws -> Value {
        if completeness.isPartial { return try body() }
        return try madeAgain(type, from: value) { didMake in
            try completing(
                completeness, by: document, at: value, besides: candidates, isWhole: isWhole,
                isCurrent: isCurrent, noting: note
            ) {
                let made = try body()
                didMake()
                return made
            }
        }
    }

    /// The value that a body makes, with its objects as they are at the body's end.
    ///
    /// - Parameter body: Says when it has made the value.
    func madeAgain<Value: Importable>(
        _ type: Value.Type, from value: JSONValue, _ body: (_ didMake: () -> Void) throws -> Value
    ) throws -> Value {
        guard ElementTypes.holdObjects(type), ElementTypes.areMadeByMapping(type) else {
            return try body {}
        }
        var changeCount = connection.totalChangeCount
        let (made, parts) = try imports.notingParts(of: value.storage.document, in: self) {
            try body { changeCount = connection.totalChangeCount }
        }
        guard let parts, connection.totalChangeCount != changeCount else { return made }
        do {
            return try replay(
                type, by: parts, from: value, options: decodingOptions, isOfNow: true
            ).value
        } catch {
            // What has gone along can't be read again; where nothing of the transaction is left, nor is this good.
            try checkOpen()
            return made
        }
    }

    /// Runs a body that imports a list, and returns the objects that it names of those that a completeness is
    /// about.
    func listing<Result>(
        _ completeness: Completeness, _ list: JSONValue, _ body: () throws -> Result
    ) throws -> (Result, ListedObjects) {
        let roots = try completeness.scopes.map {
            try store.plan.entity($0.entity).family.members[0]
        }
        var objects = ListedObjects(of: roots)
        objects.isList = list.kind == .array
        objects.isEmptyList = objects.isList && list.count == 0
        let owners = try completeness.scopes.compactMap { try owner(of: $0) }
        return try imports.listing(Listing(objects, of: owners), body)
    }

    /// The owner whose relationship a list is of, where the list's objects can't be without one.
    private func owner(of scope: Completeness.Scope) throws -> Listing.Owner? {
        guard case .relationship(let name, let link, let owner) = scope.objects else { return nil }
        let entity = try store.plan.entity(owner)
        guard let relationship = entity.toMany.first(where: { $0.name == name }),
            case .column(let column) = relationship.storage
        else { return nil }
        let destination = store.plan.entities[relationship.destination]
        guard !destination.columns[column].isOptional else { return nil }
        return Listing.Owner(entity: entity, destination: destination, column: column) {
            try ObjectWriter(context: self).row(of: link, in: entity)
        }
    }
}

extension ObjectWriting {
    /// Writes the objects of JSON that is the whole of something, and has go what it lacks of that, in one
    /// transaction.
    ///
    ///     try store.import(Many<Issue>.self, from: data, completing: .whole(Issue.where { $0.isOpen == true }))
    ///
    /// - Throws: As `import` does; `CompletenessError` where so little would stay that it may be a mistake,
    ///   `WritingError` where a delete rule refuses what would go. Nothing is stored then.
    @discardableResult
    public func `import`<Value: Importable>(
        _ type: Value.Type = Value.self, from json: some JSONSource, at keyPath: String? = nil,
        completing completeness: Completeness
    ) throws -> Value {
        let document = try json.jsonValue
        let value = try document.value(at: keyPath, for: type)
        return try write { context in
            try context.savepoint {
                try context.completing(completeness, of: type, by: document, at: value) {
                    try context.importing(value) { try type.import(from: value, in: context) }
                }
            }
        }
    }
}
