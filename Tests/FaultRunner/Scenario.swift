import Foundation
import LarderObjectStore

/// Something that is done to a store while its disk or memory fails.
struct Scenario: Sendable {
    let name: String
    /// Whether there is a store before it, of 60 books.
    let hasStore: Bool
    /// Does it, on the file at a path; what was committed on the way may stay when it fails later.
    let run: @Sendable (String) throws -> Void

    init(
        _ name: String, hasStore: Bool = true, run: @escaping @Sendable (String) throws -> Void
    ) {
        self.name = name
        self.hasStore = hasStore
        self.run = run
    }

    /// A scenario on an open store, which is closed behind it.
    init(_ name: String, on body: @escaping @Sendable (Store) throws -> Void) {
        self.init(name) { path in
            let store = try Library.open(path)
            do {
                try body(store)
            } catch {
                try? store.close()
                throw error
            }
            try store.close()
        }
    }

    /// The store that scenarios start from.
    static func prepare(_ path: String) throws {
        let store = try Library.open(path)
        try store.insert(Many<Book>.self, from: Library.books(0..<60))
        try store.close()
    }

    static let all: [Scenario] = [
        Scenario("make", hasStore: false) { try Library.open($0).close() },
        Scenario("make-and-import", hasStore: false) { path in
            let store = try Library.open(path)
            defer { try? store.close() }
            try store.insert(Many<Book>.self, from: Library.books(0..<20))
        },
        Scenario("open") { (_: Store) in },
        Scenario("read") { store in
            let books = try store.fetch(Book.where { $0.author.name == "Author 3" })
            guard books.count == 9 else { throw Wrong("\(books.count) books of author 3") }
        },
        Scenario("import-one") { try $0.insert(Book.self, from: one(1_000)) },
        Scenario("import-new") { try $0.insert(Many<Book>.self, from: Library.books(60..<100)) },
        Scenario("import-same") { try $0.insert(Many<Book>.self, from: Library.books(0..<60)) },
        Scenario("import-changed") {
            try $0.insert(Many<Book>.self, from: Library.books(20..<60, edition: 1))
        },
        Scenario("import-much") {
            try $0.insert(Many<Book>.self, from: Library.books(0..<600, edition: 2))
        },
        Scenario("import-twice") {
            try $0.insert(Many<Book>.self, from: Library.books(60..<80))
            try $0.insert(Many<Book>.self, from: Library.books(60..<100, edition: 1))
        },
        Scenario("import-refused") { store in
            let wrong = Data(#"[{"id":900,"title":"x","pages":1},{"id":901,"title":null}]"#.utf8)
            do {
                try store.insert(Many<Book>.self, from: wrong)
            } catch is MappingError {
                return
            }
            throw Wrong("a book without a title was taken")
        },
        Scenario("inner-failure") { store in
            try store.write { context in
                let first = try JSONDocument(one(1_000)).root
                try context.insert(Book.self, from: first)
                let second = try JSONDocument(Data(#"{"id":1001,"title":[]}"#.utf8)).root
                do {
                    try context.insert(Book.self, from: second)
                } catch is MappingError {
                    return
                }
                throw Wrong("a list was taken for a title")
            }
        },
        Scenario("migrate") { (path: String) in try Library.openLater(path).close() },
    ]

    private static func one(_ id: Int) -> Data {
        Data(Library.books(id..<(id + 1)).dropFirst().dropLast())
    }
}

/// A scenario that went on but came to something else than it should.
struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
