extension Store {
    /// Moves a damaged store aside, to `NAME.damaged-` and the time (UTC) beside it, and opens a
    /// new one with what can still be read of it.
    ///
    /// Nobody else should have the store open: who has, in this process or another, can't write to it
    /// any more (`StoreError.Code.moved`), and reads what was there for as long as no more readers are
    /// needed. The damaged files stay until somebody removes them; they are only moved once the new
    /// store is complete, which takes room for both.
    ///
    /// - Throws: `ModelError` where the entities don't fit together, `StoreError` where the files
    ///   can't be moved or a new store can't be made, or the file is another program's database
    ///   (`notAStore`) or a newer version's store (`newer`); the damaged one is where it was then.
    public static func rebuild(
        at path: String, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws -> (store: Store, report: RebuildReport) {
        try rebuild(at: path, model: Model(entities: entities), configuration: configuration)
    }

    /// Moves a damaged store of a model aside, and opens a new one with what can still be read of
    /// it.
    ///
    /// - Throws: `StoreError` where the files can't be moved or a new store can't be made, or the file
    ///   is another program's database (`notAStore`) or a newer version's store (`newer`).
    public static func rebuild(
        at path: String, model: Model, configuration: Configuration = Configuration()
    ) throws -> (store: Store, report: RebuildReport) {
        let path = StoreFile.absolutePath(path)
        let report = try StoreRebuild(path: path, configuration: configuration)
            .run(for: StorePlan(model, configuration: configuration))
        return (
            try Store(at: path, model: model, configuration: configuration),
            report ?? RebuildReport()
        )
    }
}
