import LarderObjectStore

/// Entities whose relationships have all delete rules and all ways to be kept.
@Entity struct Shelf {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "shelf", ordered: false, delete: .cascade) var books: Many<Book>
}

@Entity struct Author {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "author", ordered: false, delete: .deny) var books: Many<Book>
}

@Entity struct Book {
    @Identity var id: Int
    var title: String
    var pages: Int?
    var lent: Int8 = 0
    var price: Double?
    @Relationship(inverse: "books") var shelf: One<Shelf>?
    @Relationship(inverse: "books") var author: One<Author>
    @Relationship(delete: .cascade) var sequel: One<Book>?
    var tags: Many<Tag>
    @Relationship(inverse: "similar", ordered: false) var similar: Many<Book>
}

@Entity struct Tag {
    @Identity var name: String
    var color: String?
}

/// What can't be without its book.
@Entity struct Loan {
    @Identity var id: Int
    var book: One<Book>
}

/// What nothing identifies.
@Entity struct Remark {
    var text: String
    @Relationship(delete: .deny) var tags: Many<Tag>
}

enum Library {
    static let ann = Author(id: 1, name: "Ann", books: .unchanged)
    static let fiction = Tag(name: "fiction", color: "red")
    static let old = Tag(name: "old", color: nil)

    static func fixture() throws -> StoreFixture {
        try StoreFixture(
            entities: Shelf.self, Author.self, Book.self, Tag.self, Loan.self, Remark.self)
    }

    static func book(
        _ id: Int, title: String = "T", shelf: One<Shelf>? = nil,
        author: One<Author> = One(Library.ann), sequel: One<Book>? = nil,
        tags: Many<Tag> = .unchanged, similar: Many<Book> = .unchanged
    ) -> Book {
        Book(
            id: id, title: title, pages: nil, price: nil, shelf: shelf, author: author,
            sequel: sequel, tags: tags, similar: similar)
    }
}
