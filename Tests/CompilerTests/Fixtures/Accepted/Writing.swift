import Foundation
import Larder

func jsonIsImported(_ store: Store, _ json: Data, _ file: URL, _ owner: Holder?) throws {
    let book = try store.import(Book.self, from: json)
    let books: [Book] = try store.import(from: json)
    let maybe = try store.import(Book?.self, from: json)
    let many = try store.import(Many<Book>.self, from: json, at: "data.items")
    let one = try store.import(One<Book>.self, from: #"{"isbn": "1"}"#)
    let logIn = try store.import(LogIn.self, from: json)
    let named = try store.import("Book", from: json)
    try store.import([Book].self, from: JSONDocument(contentsOf: file))
    try store.import(Author.self, from: JSONDocument(json).root)
    let title = try owner?.store.import(Book.self, from: json).title ?? "none"
    for book in try store.import([Book].self, from: json) { print(book.title) }
    print(try store.import([Book].self, from: json).map(\.title), try many.count, one, logIn)
    let count = try store.write { context in
        let books = try context.import([Book].self, from: json, at: "books")
        let authors: Many<Author> = try context.import(from: json, at: "authors")
        return try books.count + authors.count
    }
    print(book, books, maybe as Any, named, title, count)
}

func objectsAreSaved(_ store: Store, _ book: Book, _ author: Author, _ owner: Holder?) throws {
    try store.save(book)
    try store.save([book, book])
    try store.save(Set(["1", "2"]).map { bookOf($0) })
    try store.save([book].lazy.filter { $0.pages > 3 })
    let one: One<Book> = try store.save(book)
    let many = try store.save([author])
    try owner?.store.save(book)
    try store.save(bookOf("3")).fetch().title.forEach { print($0) }
    if let found = try store.find(Book.self, id: "1") { try store.save(found) }
    try store.insert(author)
    try store.write { context in
        var book = book
        book.author = try context.save(author)
        try context.save(book)
    }
    try [book].forEach { try store.save($0) }
    print(one, try many.count)
}

private func bookOf(_ isbn: String) -> Book {
    Book(isbn: isbn, title: "", pages: 0, isSold: false)
}

func objectsAreUpdated(_ store: Store, _ book: Book, _ author: Author, _ owner: Holder?) throws {
    var book = book
    book.title = "New"
    try store.update(book)
    let sold = try store.update(Book.where { $0.pages > 3 }) { $0.isSold.set(true) }
    try store.update(Book.all) {
        $0.title.set("x")
        $0.pages.increment()
        $0.price.set(nil)
    }
    try store.update(Book.all) { [$0.title.set("x"), $0.pages.increment(by: 3)] }
    try store.update(Book.all) { $0.author.set(One(author)) }
    try store.update(Book.all) { $0.author.set(nil) }
    try store.update(Book.all) { book in
        if sold > 3 { book.shape.set(.paper) } else { book.shape.set(nil) }
        book.made.set(Date())
    }
    try store.update(Author.where { $0.born == nil }) { $0.born.set(Date()) }
    try owner?.store.update(Book.all) { $0.pages.set(3) }
    try store.update(Book.where { $0.author.name == "Ann" }.limit(3)) { $0.isSold.set(false) }
    if try store.update(Book.all, { $0.pages.set(1) }) == 0 { print("none") }
    let one: One<Book> = try store.write { try $0.update(book) }
    let other = book.title
    try store.write { context in
        try context.update(Book.where { $0.title == other }) { $0.title.set(other + "!") }
        try context.update(book)
    }
    print(one)
}

func objectsAreDeleted(_ store: Store, _ book: Book, _ author: Author, _ owner: Holder?) throws {
    try store.delete(book)
    try store.delete([book, book])
    try store.delete(One(book))
    try store.delete(One<Author>(id: 3))
    try store.delete(author.teacher)
    try store.delete(author.books.fetch())
    try store.delete(Book.all)
    let count = try store.delete(Book.where { $0.pages > 3 && $0.author.name == "Ann" })
    try store.delete(DynamicQuery("Book"))
    if let named = try store.find("Book", id: "1") { try store.delete(named) }
    if let own = book.author { try store.delete(own) }
    try book.author.map { try store.delete($0) }.map { print($0) }
    try owner?.store.delete(book)
    try store.write { context in
        let old = try context.fetch(Book.where { $0.made < Date(timeIntervalSince1970: 0) })
        try context.delete(old)
    }
    print(count)
}

func writingIsAwaited(_ store: Store, _ book: Book, _ author: Author, _ json: Data) async throws {
    try await store.write { try $0.save(book) }
    try await store.write { try $0.delete(book) }
    try await store.write { try $0.import([Book].self, from: json) }
    try await store.write { try $0.update(Book.all) { $0.pages.set(3) } }
    let title = try await store.write { try $0.import(Book.self, from: json).title }
    let count = try await store.write { context in
        try context.save([book])
        try context.save(author)
        let gone = try context.delete(Book.where { $0.isSold == true })
        return try gone + context.count(Book.all)
    }
    let task = Task { try await store.write { try $0.delete(Book.all) } }
    print(title, count, try await task.value)
}

func writingIsPromised(_ store: Store, _ book: Book, _ json: Data) {
    store.promise.write { try $0.save(book) }.then { print($0) }
    store.promise.write { try $0.import([Book].self, from: json) }.then { $0.map(\.title) }
        .then { print($0) }.catch { print($0) }
    store.promise.write { try $0.delete(Book.all) }.then { $0 + 1 }
    store.promise.write { try $0.update(Book.all) { $0.pages.increment() } }.then { print($0) }
    store.promise.write { context in
        try context.delete(Book.all)
        return try context.import([Book].self, from: json)
    }
    .then { $0.count }
}
