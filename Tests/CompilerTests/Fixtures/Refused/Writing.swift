import Foundation
import Larder

func whatIsNoJSON(_ store: Store, _ book: Book, _ file: URL) throws {
    // error: JSON is 'Data', text, a 'JSONDocument' or a 'JSONValue'; a file is
    try store.import(Book.self, from: file)
    // error: JSON is 'Data', text, a 'JSONDocument' or a 'JSONValue'; a file is
    try store.import(Book.self, from: ["isbn": "1"])
    // error: and objects are saved: 'save(book)'
    try store.import(Book.self, from: book)
    // error: write 'import([Book].self, from: json)'; objects are saved: 'save(book)'
    try store.import(book)
    // error: write 'import([Book].self, from: json)'; objects are saved: 'save(book)'
    try store.import([book])
}

func whatJSONMakes(_ store: Store, _ json: Data) throws {
    // error: write 'import([Book].self, from: json)'; objects are saved: 'save(book)'
    try store.import(json)
    // error: say what the JSON makes: write 'import([Book].self, from: json)'
    let books = try store.import(from: json)
    // error: say what the JSON makes: write 'import([Book].self, from: json)'
    for book in try store.import(from: json) { print(book) }
    // error: cannot convert value of type '[Book]' to specified type 'Book'
    let book: Book = try store.import([Book].self, from: json)
    // error: requires that 'Token' conform to 'Importable'
    let tokens: [Token] = try store.import([Token].self, from: json)
    // error: missing argument label 'from:' in call
    try store.import(Book.self, json)
    // error: value of type 'Snapshot' has no member 'import'
    try store.read { try $0.import(Book.self, from: json) }
    print(books, book, tokens)
}

func whatIsNotSaved(_ store: Store, _ book: Book, _ author: Author, _ json: Data) throws {
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save(json)
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save(#"{"isbn": "1"}"#)
    // error: JSON is imported: write 'import(Book.self, from: json)'
    try store.save(Book.self, from: json)
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save(Token(text: ""))
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save(One(book))
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save(author.books)
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save([book, author])
    // error: value of type 'Snapshot' has no member 'save'
    try store.read { try $0.save(book) }
    // error: cannot convert value of type 'Many<Book>' to specified type 'One<Book>'
    let one: One<Book> = try store.save([book])
    print(one)
}

func aForgottenTry(_ store: Store, _ book: Book, _ json: Data) async throws {
    // error: call can throw, but it is not marked with 'try'
    try await store.write { $0.save(book) }
    // error: expression is 'async' but is not marked with 'await'
    try store.write { try $0.delete(book) }
    // error: cannot convert value of type 'Promise<One<Book>>' to specified type 'One<Book>'
    let one: One<Book> = store.promise.write { try $0.save(book) }
    // error: value of type 'Store.PromiseCalls' has no member 'import'
    store.promise.import([Book].self, from: json)
    // error: value of type 'Store.PromiseCalls' has no member 'delete'
    store.promise.delete(book)
    print(one)
}

func whatIsNotUpdated(_ store: Store, _ book: Book, _ json: Data) throws {
    // error: a query is asked for: write 'update(Book.all) { … }'
    try store.update(Book.self) { $0.pages.set(3) }
    // error: several objects are saved: 'save(books)'
    try store.update([book])
    // error: one object is updated, or what a query finds
    try store.update(Book.all)
    // error: one object is updated, or what a query finds
    try store.update(json)
    // error: value of type 'Snapshot' has no member 'update'
    try store.read { try $0.update(book) }
}

func whatIsNoAssignment(_ store: Store, _ author: Author) throws {
    // error: a column is given a value by '$0.pages.set(3)' or '$0.pages.increment()'
    try store.update(Book.all) { $0.pages == 3 }
    // error: a column is given a value by '$0.pages.set(3)' or '$0.pages.increment()'
    try store.update(Book.all) { ($0.pages.set(1), $0.title.set("x")) }
    // error: cannot assign to property: 'pages' is a get-only property
    // error: cannot assign value of type 'Int' to type 'Column<Int>'
    try store.update(Book.all) { $0.pages = 3 }
    // error: the attribute is of another type than this value
    try store.update(Book.all) { $0.pages.set("3") }
    // error: the attribute is never empty, as its type is not an optional
    try store.update(Book.all) { $0.title.set(nil) }
    // error: cannot convert value of type 'Author' to expected argument type 'One<Author>'
    try store.update(Book.all) { $0.author.set(author) }
    // error: value of type 'Book.Columns' has no member 'missing'
    try store.update(Book.all) { $0.missing.set(3) }
}

func whatIsNotDeleted(_ store: Store, _ book: Book, _ author: Author) throws {
    // error: a link names it: write 'delete(One<Book>(id: 3))'
    try store.delete(Book.self, id: "1")
    // error: an object, a 'One', objects of one entity or a query is deleted
    try store.delete(Token(text: ""))
    // error: of a 'Many' write 'delete(many.fetch())'
    try store.delete(author.books)
    // error: an object, a 'One', objects of one entity or a query is deleted
    try store.delete("Book")
    // error: an object, a 'One', objects of one entity or a query is deleted
    try store.delete([One(book)])
    // error: the attribute is of another type than this value
    try store.delete(Book.where { $0.pages == "3" })
    // error: value of type 'Snapshot' has no member 'delete'
    try store.read { try $0.delete(book) }
    // error: cannot convert value of type 'Int' to specified type '[Book]'
    let books: [Book] = try store.delete(Book.all)
    print(books)
}
