import Foundation
import LarderObjectStore

/// A file that one store after the other has open.
struct ReopenedFile {
    private let place: TemporaryFile

    init() throws { place = try TemporaryFile(named: "place", Data()) }

    /// Opens a store of a file for a body; it is closed, and gone, when this returns.
    func open(
        _ name: String = "store.sqlite", _ body: (Store) async throws -> Void
    ) async throws {
        let path = place.url.deletingLastPathComponent().appending(path: name).path()
        weak var last: Store?
        do {
            let store = try Store(at: path, entities: User.self, Article.self, Tag.self)
            last = store
            try await body(store)
            try store.close()
        }
        let patience = ContinuousClock.now + .seconds(60)
        while last != nil, .now < patience { await Task.yield() }
    }
}
