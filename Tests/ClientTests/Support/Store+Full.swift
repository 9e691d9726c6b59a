import LarderObjectStore

/// Stores with little room.
extension Store {
    /// A store of the test model whose file may have so many bytes.
    static func temporary(of size: Int) throws -> Store {
        var configuration = Store.Configuration()
        configuration.maximumSize = size
        return try temporary(
            entities: User.self, Article.self, Tag.self, configuration: configuration)
    }

    /// Stores users of 20 KB until there is no room for one more.
    func fill() throws {
        for id in 1_000... {
            do {
                try `import`([User].self, from: Self.users(id))
            } catch let error as StoreError where error.reason == .full {
                return
            }
        }
    }

    /// A list of one user that takes 20 KB.
    static func users(_ id: Int) -> String {
        #"[{"id": \#(id), "login": "\#(String(repeating: "a", count: 20_000))"}]"#
    }
}
