import Foundation
import LarderObjectStore

/// A process that keeps a store open and opens it again and again, and others that come, write and go.
struct VisitRun {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// Lets both write by turns.
    ///
    /// - Throws: `Wrong` where one does not see what the other has committed, or the file is damaged.
    func run(rounds: Int) throws {
        let store = try Library.open(workplace.path, Store.Configuration())
        for round in 0..<rounds {
            try store.import(Book.self, from: Library.book(2 * round))
            // Once more, refused or not: nothing of the first may go with it.
            if round % 2 == 0 {
                try Library.open(workplace.path, Store.Configuration()).close()
            } else {
                _ = try? Store(at: workplace.path, entities: Tag.self)
            }
            let visitor = try Child(["visit", workplace.path, "\(2 * round + 1)"])
            let seen = visitor.line()
            visitor.end()
            guard seen == "\(2 * round + 2)" else {
                throw Wrong("round \(round): a visitor has \(seen ?? "no") books")
            }
            let count = try store.count(Book.all)
            guard count == 2 * round + 2 else { throw Wrong("round \(round): \(count) books") }
        }
        try store.close()
        if let damage = try Database(path: workplace.path).damage() { throw Wrong(damage) }
    }

    /// Opens a store, writes a book, tells how many there are then, and closes it.
    static func visit(_ path: String, _ book: Int) throws {
        let store = try Library.open(path, Store.Configuration())
        try store.import(Book.self, from: Library.book(book))
        print(try store.count(Book.all))
        try store.close()
    }
}
