import Larder

func anIdentityOfAnotherType(_ store: Store) throws {
    // error: argument type 'Token' does not conform to expected type 'AttributeValue'
    let book: Book? = try store.find(Book.self, id: Token(text: ""))
    print(book as Any)
}
