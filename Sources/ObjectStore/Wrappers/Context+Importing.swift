/// What importable types ask of the transaction that they are imported in.
extension Context {
    /// Runs a body that imports a value of which nothing is left where it throws, also where the value's
    /// type has caught the error of a part.
    ///
    /// - Parameter value: The value, where it may be one of many of its document.
    func importing<Result>(
        _ value: JSONValue? = nil, _ body: () throws -> Result
    ) throws -> Result {
        try whole { try imports.parts(of: value, body) }
    }

    /// Runs a body that imports a part of a value; where it throws though it has written something, the
    /// value can't stand without it.
    func importingPart<Result>(_ body: () throws -> Result) throws -> Result {
        let count = imports.partCount
        do { return try body() } catch {
            imports.noteFailure(error, since: count)
            throw error
        }
    }

    /// Imports the part of a value that a decoder has come to.
    func importPart<Value: Importable>(
        _ type: Value.Type, at decoder: JSONValueDecoder
    ) throws -> Value {
        // It may be in an array of what only decodes.
        let isInList = decoder.codingPath.contains { ($0 as? JSONCodingKey)?.intValue != nil }
        return try importingPart {
            let part = try imports.placed(as: isInList ? .wrapped : imports.place) {
                try Value.import(from: decoder.value, in: self)
            }
            imports.readings?.noteReading(of: decoder.value, as: type)
            return part
        }
    }

    /// Writes the object at a value and returns its row.
    ///
    /// - Throws: `StoreError` where the object says that it is gone, too.
    func map(_ value: JSONValue, as entity: String) throws -> Int64 {
        if let row = try mapIfAny(value, as: entity) { return row }
        throw StoreError(
            .missingObject, "the object of \(entity) at \(value.path) says that it is gone")
    }

    /// Writes the object at a value and returns its row, nil where it says that it is gone.
    func mapIfAny(_ value: JSONValue, as entity: String) throws -> Int64? {
        let plan = try store.plan.entity(entity)
        return try asPart { try imports.map(value, as: plan) }
    }

    /// Writes the objects of an array and returns their rows; null elements are passed over.
    func mapElements(of value: JSONValue, as entity: String) throws -> [Int64] {
        let plan = try store.plan.entity(entity)
        return try asPart { try imports.mapElements(of: value, as: plan) }
    }

    /// The number of elements of an array of objects as they stood in the JSON, nil where it is none.
    func elementCount(of value: JSONValue, as entity: String) throws -> Int? {
        guard let replay = imports.replay else { return value.count }
        return replay.elementCount(of: value, try store.plan.entity(entity))
    }

    /// Runs a body as a part of what is being imported; by itself where nothing is.
    private func asPart<Result>(_ body: () throws -> Result) throws -> Result {
        guard imports.isUnderWay else { return try importing(nil, body) }
        try checkOpen()
        return try body()
    }

    /// The object in a row that was just written.
    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        try checkAreWhole([row], as: type)
        return try reader.object(type, row: row)
    }

    /// The object in a row, nil where it is known by a reference only.
    func objectIfAny<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object? {
        try checkAreWhole([row], as: type)
        return try reader.find(type, row: row)
    }

    /// The objects in rows, those left out that are known by a reference only.
    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        try checkAreWhole(rows, as: type)
        return try reader.objects(type, rows: rows)
    }

    private func checkAreWhole<Object: Entity>(_ rows: [Int64], as type: Object.Type) throws {
        try imports.checkAreWhole(rows, of: try store.plan.entity(type.entityName))
    }
}

extension Import {
    /// Runs a body that imports a value of a document, and returns what its parts have become, as far as that takes to
    /// read them again in the transaction; nil where they can't be.
    func notingParts<Result>(
        of document: JSONDocument.Storage, in context: Context, _ body: () throws -> Result
    ) throws -> (Result, ImportSkeleton?) {
        if let recorder {
            let count = recorder.count
            return (try body(), recorder.parts(from: count))
        }
        let recorder = SkeletonRecorder(
            document: document, reader: try context.reader, isBrief: true)
        self.recorder = recorder
        defer { self.recorder = nil }
        return (try body(), recorder.parts(from: 0))
    }

    /// Runs a body whose parts stand at a place, those by themselves.
    func placed<Result>(as place: ListedObjects.Place, _ body: () throws -> Result) rethrows
        -> Result
    {
        let before = self.place
        self.place = place
        defer { self.place = before }
        return try body()
    }
}
