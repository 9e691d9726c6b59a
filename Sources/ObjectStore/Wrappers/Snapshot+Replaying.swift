extension Snapshot {
    /// Makes a value again that a document has become, of the objects as they are now, without what has gone
    /// since.
    ///
    /// Nothing is written: a type that writes more than it maps can't be made again.
    ///
    /// - Parameters:
    ///   - skeleton: What the document's parts have become.
    ///   - json: The value in the document; nil where nothing is left of that.
    ///   - options: How the parts of wrappers are read that are not stored.
    ///   - isOfNow: Whether the document has been written in this transaction.
    ///   - noteReplaced: Called where objects have gone and come again since, in other rows.
    /// - Returns: The value, and the number of objects that are left out of it.
    /// - Throws: `StoreError` where the value can't be had without what has gone, or was made of other parts.
    package func replay<Value: Importable>(
        _ type: Value.Type, by skeleton: ImportSkeleton, from json: JSONValue?,
        options: DecodingOptions, isOfNow: Bool = false, noteReplaced: () -> Void = {}
    ) throws -> (value: Value, missingCount: Int) {
        try connection.readingOnly {
            let context = Context(
                store: store, connection: connection,
                statements: WriteStatements(
                    plan: store.plan, connection: connection,
                    changes: ChangeLog(plan: store.plan, connection: connection)))
            defer { context.close() }
            context.decodingOptions = options
            let value = try json ?? JSONDocument(skeleton.emptyDocument).root
            let replay = SkeletonReplay(
                skeleton, of: value.storage.document, reader: try context.reader, isOfNow: isOfNow)
            context.imports.replay = replay
            let made = try context.imports.parts { try type.import(from: value, in: context) }
            replay.readings.noteReading(of: value, as: type)
            try replay.check()
            if replay.hasReplaced { noteReplaced() }
            return (made, replay.missingCount)
        }
    }

    /// Whether the store has what a document says, besides that its parts are there: none has gone of the objects that
    /// stood within those, none is there of those that it calls gone, and nobody has written anything else since to
    /// what it has named, as far as that is known.
    package func holds(_ skeleton: ImportSkeleton) throws -> Bool {
        if try lacksNested(of: skeleton) { return false }
        guard let digest = skeleton.digest else { return true }
        return try gone(by: skeleton) == skeleton.gone && self.digest(of: skeleton) == digest
    }

    /// What identifies those objects that a document calls gone, and that are not there.
    ///
    /// Others of its parts, or what has been written along with it, may have brought some of them.
    package func gone(by skeleton: ImportSkeleton) throws -> [String: [[SQLValue]]] {
        if skeleton.gone.isEmpty { return [:] }
        let reader = try reader
        let entities = Dictionary(store.plan.entities.map { ($0.rowKind, $0) }) { $1 }
        return try skeleton.gone.reduce(into: [:]) { gone, part in
            guard let entity = entities[part.key] else { return }
            let missing = try reader.missing(part.value, of: entity)
            if !missing.isEmpty { gone[part.key] = missing }
        }
    }

    /// Whether objects have gone since that stood within those of a document's parts: the value can be made without
    /// them, and is not what the document says.
    private func lacksNested(of skeleton: ImportSkeleton) throws -> Bool {
        // Which they were, nobody knows.
        if skeleton.isRestored { return true }
        let reader = try reader
        return try skeleton.nested.contains { nested in
            let entity = store.plan.entities.first { $0.rowKind == nested.kind }
            guard let entity else { return true }
            let (rows, references) = try reader.present(nested.objects.rows, of: entity)
            return rows.count < nested.objects.rows.count
                || !references.isSubset(of: nested.objects.references)
        }
    }
}
