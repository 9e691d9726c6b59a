import Foundation
import Issues
import Larder

/// The public call: bytes in, `Many<Issue>` out.
struct LarderSide: Side {
    let name = "Larder"

    func run(file: URL, folder: URL) throws -> Times {
        let store = try Store(
            at: folder.appending(path: "larder.sqlite").path(),
            entities: Issue.self, User.self, Label.self)
        var times = Times(first: 0, again: 0)
        times.first = try importOnce(file, into: store, inserted: 50_000)
        times.again = try importOnce(file, into: store, inserted: 0)
        times.fetch = try seconds {
            guard try store.fetch(Issue.all).count == 50_000 else { throw WrongCount() }
        }
        return times
    }

    /// Returns the seconds from bytes in memory to what they make.
    private func importOnce(_ file: URL, into store: Store, inserted: Int) throws -> Double {
        let bytes = try Data(contentsOf: file)
        return try seconds {
            let document = try JSONDocument(bytes)
            try store.write { context in
                let issues: Many<Issue> = try context.import(from: document.root)
                guard try issues.count == 50_000, context.report["Issue"].inserted == inserted
                else { throw WrongCount() }
            }
        }
    }

    struct WrongCount: Error {}
}
