public import Foundation

extension Store {
    /// Opens a store at the URL of a file, making that where there is none.
    ///
    ///     let store = try Store(at: folder.appending(path: "notes.sqlite"), entities: Note.self)
    ///
    /// - Throws: `StoreError` where the URL is not that of a file, and what opening by a path throws.
    public convenience init(
        at file: URL, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws {
        try self.init(at: file, model: Model(entities: entities), configuration: configuration)
    }

    /// Opens a store of a model at the URL of a file, making that where there is none.
    ///
    /// - Throws: `StoreError` where the URL is not that of a file, and what opening by a path throws.
    public convenience init(
        at file: URL, model: Model, configuration: Configuration = Configuration()
    ) throws {
        guard file.isFileURL else {
            throw StoreError(.cannotOpen, "the URL of a store has to be that of a file")
        }
        try self.init(
            at: file.absoluteURL.path(percentEncoded: false), model: model,
            configuration: configuration)
    }
}
