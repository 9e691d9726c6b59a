import Foundation
import Larder

func oneVerbForEachWayToWrite(
    _ store: Store, _ book: Book, _ one: One<Book>, _ json: Data, _ document: JSONDocument
) throws {
    let books: [Book] = try store.import(from: json)
    let many = try store.import(Many<Book>.self, from: document, at: "data.items")
    let objects = try store.import("Book", from: #"{"isbn": "1"}"#)
    try store.write { context in
        try context.import(Book.self, from: document.root)
        try context.save(book)
        try context.save([book])
        try context.insert(book)
        try context.update(book)
        try context.delete(book)
        try context.delete(one)
        try context.delete([book])
        try context.delete(Book.all)
        try context.delete(DynamicQuery("Book"))
        try context.savepoint { try context.insert(book) }
        if try context.contains(Book.where { $0.isbn == "1" }) { return }
        print(try context.count(Book.all), try context.first(DynamicQuery("Book")) as Any)
    }
    let titles = try store.read { try $0.fetch(Book.all).map(\.title) }
    print(books, many, objects, titles, try store.first(Book.all)?.title ?? "none")
    print(try store.json(DynamicQuery("Book")), try store.json(Book.all))
}

func inAsyncCodeTheyAreAwaited(_ store: Store, _ json: Data) async throws {
    let count = try await store.read { try $0.count(Book.all) }
    let titles = try await store.read { snapshot in
        let books = try snapshot.fetch(Book.where { $0.title != "" })
        return books.map { $0.title }
    }
    try await store.write { try $0.import([Book].self, from: json) }
    let books: [Book] = try await store.write { try $0.import(from: json) }
    let number = store.promise.write { try $0.import([Book].self, from: json) }.then { $0.count }
    print(count, titles, books, try await number.value)
}

func aWriteThatIsAllAClosureDoes(_ store: Store, _ book: Book, _ json: Data) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await store.write { _ = try $0.save(book) } }
        group.addTask { try await store.write { _ = try $0.import([Book].self, from: json) } }
        try await group.waitForAll()
    }
    try await withThrowingDiscardingTaskGroup { group in
        group.addTask { try await store.write { _ = try $0.delete(book) } }
    }
    let synchronous: () throws -> Void = { try store.write { _ = try $0.delete(book) } }
    try synchronous()
    let task = Task<Void, any Error> { try await store.write { _ = try $0.save(book) } }
    try await task.value
}
