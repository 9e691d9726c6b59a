import Foundation
import Larder

func anIdentityOfAnotherType(_ store: Store) throws {
    // error: instance method 'find(_:id:)' requires that 'Token' conform to 'AttributeValue'
    let book: Book? = try store.find(Book.self, id: Token(text: ""))
    print(book as Any)
}

func aTypeInsteadOfAQuery(_ store: Store) async throws {
    // error: a query is asked for: write 'fetch(Book.all)'
    print(try store.fetch(Book.self))
    // error: a query is asked for: write 'fetch(Book.all)'
    print(try store.fetch([Book].self))
    // error: a query is asked for: write 'first(Book.all)'
    print(try store.first(Book.self) as Any)
    // error: a query is asked for: write 'count(Book.all)'
    print(try store.count(Book.self))
    // error: a query is asked for: write 'observe(Book.all)'
    for try await books in store.observe(Book.self) { print(books) }
}

func jsonThatMakesNothing(_ store: Store, _ json: Data) throws {
    // error: instance method 'import(_:from:at:)' requires that 'Token' conform to 'Importable'
    print(try store.import(Token.self, from: json))
    // error: say what the JSON makes: write 'import([Book].self, from: json)'
    try store.import(from: json)
    // error: cannot convert value of type 'Many<Book>' to specified type '[Book]'
    let books: [Book] = try store.import(Many<Book>.self, from: json)
    // error: an object is saved, or objects of one entity; JSON is imported
    try store.save(json)
    // error: a query is asked for: write 'delete(Book.all)'
    try store.delete(Book.self)
    // error: a query is asked for: write 'contains(Book.all)'
    print(books, try store.contains(Book.self))
}

func aThreadThatWouldBeBlocked(_ store: Store) async throws {
    // error: expression is 'async' but is not marked with 'await'
    print(try store.read { try $0.count(Book.all) })
}
