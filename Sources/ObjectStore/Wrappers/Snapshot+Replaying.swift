extension Snapshot {
    /// Makes a value again that a document has become, of the objects as they are now, without what has gone
    /// since.
    ///
    /// Nothing is written: a type that writes more than it maps can't be made again.
    ///
    /// - Parameters:
    ///   - skeleton: What the document's parts have become.
    ///   - json: The value in the document, or in the empty one that is left of it.
    ///   - options: How the parts of wrappers are read that are not stored.
    /// - Returns: The value, and the number of objects that are left out of it.
    /// - Throws: `StoreError` where the value can't be had without what has gone, or was made of other parts.
    package func replay<Value: Importable>(
        _ type: Value.Type, by skeleton: ImportSkeleton, from json: JSONValue,
        options: DecodingOptions
    ) throws -> (value: Value, missingCount: Int) {
        try connection.readingOnly {
            let context = Context(
                store: store, connection: connection,
                statements: WriteStatements(
                    plan: store.plan, connection: connection,
                    changes: ChangeLog(plan: store.plan, connection: connection)))
            defer { context.close() }
            context.decodingOptions = options
            let replay = SkeletonReplay(skeleton, reader: try context.reader)
            context.imports.replay = replay
            let value = try context.imports.parts { try Value.import(from: json, in: context) }
            replay.readings.noteReading(of: json, as: type)
            try replay.check(json)
            return (value, replay.missingCount)
        }
    }
}
