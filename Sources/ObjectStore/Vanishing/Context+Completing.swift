/// Imports of lists that are the whole of something.
extension Context {
    /// Runs a body that imports a document, and then has go what that shows to have vanished.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - list: The value in it that is imported.
    ///   - candidates: What the store had when the document was asked for; what it has now where nobody asked.
    ///   - isWhole: Whether nothing but the document says that there is more.
    ///   - note: Takes what the document names.
    func completing<Result>(
        _ completeness: Completeness, by document: JSONValue, at list: JSONValue,
        besides candidates: VanishingCandidates? = nil, isWhole: Bool = true,
        noting note: ((ListedObjects) -> Void)? = nil, _ body: () throws -> Result
    ) throws -> Result {
        if completeness.isPartial { return try body() }
        let candidates = try candidates ?? VanishingCandidates(of: completeness, in: self)
        let (result, objects) = try listing(completeness, list, body)
        note?(objects)
        imports.arrivedLists = objects.lists(in: store.plan)
        let vanishing = Vanishing(context: self, completeness: completeness)
        if isWhole, !completeness.saysMore(document) {
            imports.arrivedLists.wholeScopes = try vanishing.apply(objects, besides: candidates)
        } else {
            imports.arrivedLists.wholeScopes = 0
            try vanishing.note(objects)
        }
        return result
    }

    /// Runs a body that imports a list, and returns the objects that it names of those that a completeness is
    /// about.
    private func listing<Result>(
        _ completeness: Completeness, _ list: JSONValue, _ body: () throws -> Result
    ) throws -> (Result, ListedObjects) {
        let roots = try completeness.scopes.map {
            try store.plan.entity($0.entity).family.members[0]
        }
        var objects = ListedObjects(of: roots)
        objects.isList = list.kind == .array
        objects.isEmptyList = objects.isList && list.count == 0
        return try imports.listing(objects, body)
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
                try context.completing(completeness, by: document, at: value) {
                    try context.importing(value) { try type.import(from: value, in: context) }
                }
            }
        }
    }
}
