import Larder

func anIdentityOfAnotherType(_ store: Store) throws {
    // error: argument type 'Token' does not conform to expected type 'AttributeValue'
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
