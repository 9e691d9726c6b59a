import Foundation
import LarderObjectStore

extension Scenario {
    /// What is written without JSON.
    static let writings: [Scenario] = [
        Scenario("save") { store, _ in
            var book = try someBook(in: store)
            book.title = "Another title"
            book.author = One(Author(id: 99, name: "A new author", books: []))
            let unchanged = book
            try store.save([unchanged])
        },
        Scenario("update-query") { store, _ in
            try store.write { context -> Void in
                try context.update(Book.where { $0.id < 30 }) {
                    $0.pages.increment()
                    $0.text.set(nil)
                }
            }
        },
        Scenario("delete") { store, _ in
            guard let book = try store.first(Book.where { $0.id == 3 }) else { return }
            try store.delete(book)
        },
        Scenario("delete-cascade") { store, _ in
            // Their books go with them, and the links of those.
            try store.delete(Author.where { $0.id < 4 })
        },
        Scenario("delete-newest") { store, _ in
            // The next row must not get the number of one that is gone.
            try store.write { context -> Void in
                try context.delete(Tag.all)
                try context.save(Tag(name: "the next one"))
            }
        },
        Scenario("edit-links") { store, _ in
            try store.write { context in
                let book = try someBook(in: store)
                let tags = try context.edit(\.tags, of: book)
                try tags.removeAll()
                try tags.add(Tag(name: "a new one"))
                let author = One(Author(id: 98, name: "Someone else", books: []))
                try context.edit(\.author, of: book).set(author)
            }
        },
        Scenario("nested") { store, _ in
            try store.write { context in
                try context.import(Book.self, from: JSONDocument(Library.book(1_000)).root)
                try context.savepoint {
                    try context.delete(Book.where { $0.id < 10 })
                    try context.import(Book.self, from: JSONDocument(Library.book(1_001)).root)
                }
            }
        },
        Scenario("nested-failure") { store, _ in
            try store.write { context in
                try context.import(Book.self, from: JSONDocument(Library.book(1_000)).root)
                do {
                    try context.savepoint {
                        try context.delete(Book.where { $0.id < 10 })
                        throw CancellationError()
                    }
                } catch is CancellationError {}
            }
        },
        Scenario(
            "evict",
            opening: { workplace, configuration in
                var configuration = configuration
                configuration.evictions = [Eviction(Book.self, by: "added", keeping: 25)]
                return try Library.open(workplace.path, configuration)
            },
            steps: [{ store, _ in try store.evict(at: Date(timeIntervalSinceReferenceDate: 0)) }]),
        Scenario(
            "write-beside",
            steps: [
                { store, _ in
                    try store.writeBeside { tables in
                        try tables.run(
                            "CREATE TABLE IF NOT EXISTS \(shelf) (id INTEGER PRIMARY KEY, body BLOB)"
                        )
                        for id in 1...40 {
                            let body = [UInt8](repeating: UInt8(id), count: id * 200)
                            try tables.run(
                                "INSERT OR REPLACE INTO \(shelf) VALUES (?, ?)",
                                [.integer(Int64(id)), .blob(body)])
                        }
                    }
                },
                { store, _ in
                    let count = try store.readBeside {
                        try $0.rows("SELECT id FROM \(shelf)").count
                    }
                    guard count == 40 else { throw Wrong("\(count) rows beside the objects") }
                    try store.writeBeside { tables in
                        _ = try tables.rows("DELETE FROM \(shelf) WHERE id > 20 RETURNING id")
                    }
                },
            ]),
    ]

    /// A table beside those of the objects.
    private static let shelf = "\"$side.shelf\""

    private static func someBook(in store: Store) throws -> Book {
        guard let book = try store.find(Book.self, id: 7) else { throw Wrong("no book 7") }
        return book
    }
}
