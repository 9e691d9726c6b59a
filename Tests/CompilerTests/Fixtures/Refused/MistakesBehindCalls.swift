import Foundation
import Larder

// The calls are right; the mistake stands behind each, and is what the compiler has to name.

func behindAFetch(_ store: Store, _ books: [Book], _ authors: [Author]) async throws {
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(Book.all).first?.titel ?? "")
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(Book.where { $0.pages > 3 }).map { $0.titel })
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(Book.all).map(\.titel))
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(Book.all)[0].titel)
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(Book.all).filter { $0.titel == "x" }.count)
    // error: value of type 'Book' has no member 'titel'
    let titles = try await store.read { try $0.fetch(Book.all).map { $0.titel } }
    // error: value of type 'DynamicObject' has no member 'titel'
    print(try store.fetch(DynamicQuery("Book")).first?.titel as Any)
    // error: value of type 'Author' has no member 'nam'
    print(try store.fetch(books.map(\.author)).compactMap { $0?.nam })
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(authors.map(\.books)).first?.first?.titel ?? "")
    // error: value of type 'Book' has no member 'titel'
    print(try store.fetch(Book.all, including: \.author).map { $0.0.titel })
    print(titles)
}

func behindOtherReadings(_ store: Store) throws {
    // error: value of type 'Book' has no member 'titel'
    print(try store.find(Book.self, id: "1")?.titel ?? "")
    // error: value of type 'Book' has no member 'titel'
    print(try store.find(Book.self, id: "1").map { $0.titel } as Any)
    // error: value of type 'Book' has no member 'titel'
    print(try store.first(Book.all)?.titel ?? "")
    // error: value of type 'Book.Columns' has no member 'titel'
    print(try store.count(Book.where { $0.titel == "x" }))
}

func behindAWriting(_ store: Store, _ book: Book, _ json: Data) throws {
    // error: value of type 'One<Book>' has no member 'titel'
    print(try store.save(book).titel)
    // error: value of type 'Book' has no member 'titel'
    try store.update(Book.all) { $0.title.set(book.titel) }
    // error: value of type 'Book' has no member 'titel'
    print(try store.import([Book].self, from: json).map { $0.titel })
    // error: value of type 'Book.Columns' has no member 'titel'
    try store.delete(Book.where { $0.titel == "x" })
}

func behindAnObservation(_ store: Store) async throws {
    // error: value of type 'Book' has no member 'titel'
    _ = store.observe(Book.all).start { print($0.map { $0.titel }) }
    // error: value of type 'Book' has no member 'titel'
    _ = store.observe(Book.all).start { print($0.first?.titel ?? "") }
    _ = store.observe(Book.all).start { books in
        // error: value of type 'Book' has no member 'titel'
        for book in books { print(book.titel) }
    }
    // error: value of type 'Book' has no member 'titel'
    _ = store.observe { try $0.fetch(Book.all).first?.titel }
    // error: value of type 'Book' has no member 'titel'
    for try await books in store.observe(Book.all) { print(books.map { $0.titel }) }
}

func behindARequest(_ client: Client) async throws {
    // error: value of type 'Book' has no member 'titel'
    client.enqueue(Get(path: "a"), as: Book.self).then { print($0.titel) }
    // error: value of type 'Book' has no member 'titel'
    client.enqueue(Get(path: "a"), as: Book.self).then { book in print(book.titel) }
    client.enqueue(Get(path: "a"), as: Book.self).then { book in
        // error: value of type 'Book' has no member 'titel'
        let title = book.titel
        print(title)
    }
    // error: value of type 'Book' has no member 'titel'
    client.enqueue(Get(path: "a"), as: [Book].self).then { print($0.first?.titel ?? "") }
    // error: value of type 'LogIn' has no member 'tokn'
    client.enqueue(Get(path: "a"), as: LogIn.self).then { print($0.tokn) }
    // error: value of type 'Token' has no member 'txt'
    client.enqueue(Get(path: "a"), as: Token.self).then { print($0.txt) }
    // error: value of type 'Response<Book>' has no member 'stats'
    client.enqueue(Get(path: "a"), as: Response<Book>.self).then { print($0.stats) }
    // error: value of type 'any Error' has no member 'reason'
    client.enqueue(Get(path: "a"), as: Book.self).catch { print($0.reason) }
    // error: value of type 'any Error' has no member 'reason'
    client.enqueue(Get(path: "a")).catch { print($0.reason) }
    // error: value of type 'any Error' has no member 'reason'
    client.enqueue(AllBooks()).then { print($0) }.catch { print($0.reason) }
    // error: value of type 'Book' has no member 'titel'
    print(try await client.enqueue(Get(path: "a"), as: Book.self).value.titel)
    // error: value of type 'Token' has no member 'txt'
    print(try await client.enqueue(Get(path: "a"), as: Token.self).value.txt)
    // error: value of type 'Book' has no member 'titel'
    print(try await client.enqueue(Get(path: "a"), as: Book.self).then { $0.titel }.value)
}

func behindPages(_ client: Client) async throws {
    for try await page in client.pages(Get(path: "a"), as: [Book].self) {
        // error: value of type 'Book' has no member 'titel'
        print(page.value.map { $0.titel })
    }
    // error: value of type 'PullReport' has no member 'page'
    client.pull(Get(path: "a"), as: [Book].self).then { print($0.page) }
}
