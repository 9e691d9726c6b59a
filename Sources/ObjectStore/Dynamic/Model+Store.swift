import Foundation

extension Model {
    /// Reads the model that a store was written with, by which it can be opened without types and
    /// without a model file.
    ///
    ///     let store = try Store(at: path, model: Model(ofStoreAt: path))
    ///
    /// Where the app has a version of its model, the configuration that the store is opened with is to have it, too.
    ///
    /// - Throws: `StoreError` where there is no store, or it can't be read.
    public init(
        ofStoreAt path: String, configuration: Store.Configuration = Store.Configuration()
    ) throws {
        var configuration = configuration
        // Whatever version of an app's model has written it.
        configuration.migration.version = .max
        let file = StoreFile(path: path, configuration: configuration)
        try file.checkIsStore()
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        self = try StoredModel(of: file.connect(readOnly: true), path: path).model(named: name)
    }
}
