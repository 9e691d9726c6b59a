import Foundation
import Larder

func whatIsNoQuery(_ store: Store, _ book: Book, _ author: Author) throws {
    // error: a query is asked for: write 'fetch(Book.all)'
    print(try store.fetch("Book"))
    // error: a query is asked for: write 'fetch(Book.all)'
    print(try store.fetch(Token.self))
    // error: a query is asked for: write 'fetch(Book.all)'
    print(try store.fetch(book))
    // error: what a link leads to is read from the link: 'book.author.fetch()'
    print(try store.fetch(author.teacher))
    // error: what a link leads to is read from the link: 'book.author.fetch()'
    print(try store.fetch(author.books))
    // error: the condition is the query's: write 'fetch(Book.where { … })'
    print(try store.fetch(Book.self, where: { $0.pages > 3 }))
    // error: missing argument for parameter #1 in call
    let books: [Book] = try store.fetch()
    print(books)
}

func whatIsFetched(_ store: Store) throws {
    // error: cannot convert value of type '[Book]' to specified type 'Book'
    let book: Book = try store.fetch(Book.all)
    // error: cannot assign value of type '[Book]' to type '[Author]'
    let authors: [Author] = try store.fetch(Book.all)
    // error: the attribute is of another type than this value
    print(try store.fetch(Book.where { $0.pages == "3" }))
    // error: requires that 'String' conform to 'ObjectLinks'
    print(try store.fetch(Book.all, including: \.title))
    // error: value of type 'Store.PromiseCalls' has no member 'fetch'
    store.promise.fetch(Book.all).then { print($0) }
    print(book, authors)
}

func aForgottenTryOrAwait(_ store: Store) async throws {
    // error: call can throw but is not marked with 'try'
    print(store.fetch(Book.all))
    // error: call can throw, but it is not marked with 'try'
    print(try await store.read { $0.fetch(Book.all) })
    // error: expression is 'async' but is not marked with 'await'
    print(try store.read { try $0.fetch(Book.all) })
    // error: cannot convert value of type 'Promise<[Book]>' to specified type '[Book]'
    let books: [Book] = store.promise.read { try $0.fetch(Book.all) }
    print(books)
}

func whatIsNoIdentity(_ store: Store, _ book: Book, _ one: One<Book>) throws {
    // error: an identity is asked for: write 'find(Book.self, id: 3)'
    let found = try store.find(Book.where { $0.pages > 3 })
    // error: an identity is asked for: write 'find(Book.self, id: 3)'
    let other = try store.find(one)
    // error: a link finds its own object: write 'book.author?.find()'
    print(try store.find(Author.self, id: book.author) as Any)
    // error: the identity is of another type than the entity's 'ObjectID', that of its '@Identity'
    print(try store.find(Author.self, id: "3") as Any)
    // error: name the parts of the identity: 'find(Card.self, id: .init(suit:
    print(try store.find(Seat.self, id: "back", 3) as Any)
    // error: name the parts of the identity: 'One(id: .init(suit:
    let seat = One<Seat>(id: "back", 3)
    // error: nothing identifies the objects of this entity: mark what does with '@Identity'
    print(try store.find(Line.self, id: 3) as Any, seat)
    // error: missing argument label 'id:' in call
    print(try store.find(Book.self, "1") as Any)
    // error: generic parameter 'Object' could not be inferred
    print(try store.find(id: "1") as Any)
    // error: requires that 'Token' conform to 'Entity'
    print(try store.find(Token.self, id: "1") as Any)
    // error: must be unwrapped to refer to member 'title'
    print(try store.find(Book.self, id: "1").title)
    print(found as Any, other as Any)
}

func whatIsNoColumn(_ store: Store) throws {
    // error: the relationship leads to many objects; write
    print(try store.select(Author.all) { $0.books.title })
}

func whatIsSelected(_ store: Store) throws {
    // error: cannot convert value of type '(Book.Columns) -> Column<Int>'
    let pages: [String] = try store.select(Book.all) { $0.pages }
    // error: cannot convert value of type '[(String, Int)]' to specified type
    let pair: (String, Int) = try store.select(Book.all) { ($0.title, $0.pages) }
    for title in try store.select(Book.all, { $0.title }) {
        // error: value of type 'String' has no member 'isbn'
        print(title.isbn)
    }
    print(pages, pair)
}

func whatIsNotObserved(_ store: Store, _ book: Book) async throws {
    // error: a closure reads them: write 'observe { try $0.fetch(DynamicQuery("Book")) }'
    _ = store.observe(DynamicQuery("Book"))
    // error: write 'observe(Book.all).start { … }', and keep what it returns
    store.observe(Book.all) { print($0) }
    // error: for-in loop requires 'LiveValue<[Book]>' to conform to 'Sequence'
    for books in store.observe(Book.all) { print(books) }
    // error: value of type 'LiveValue<[Book]>' has no member 'then'
    store.observe(Book.all).then { print($0) }
    // error: value of type 'Snapshot' has no member 'save'
    _ = store.observe { try $0.save(book) }
    // error: a query is asked for: write 'fetch(Book.all)'
    _ = store.observe { try $0.fetch(Book.self) }
    // error: the attribute is of another type than this value
    _ = store.observe(Book.where { $0.pages == "3" })
    // error: call can throw, but it is not marked with 'try'
    _ = store.observe { $0.fetch(Book.all) }
    // warning: result of call to 'start(on:onError:onChange:)' is unused
    store.observe(Book.all).start { print($0) }
}
