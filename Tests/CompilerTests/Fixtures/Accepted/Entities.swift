import Foundation
import Larder

func entitiesAreFetched(_ store: Store) throws {
    let books = try store.fetch(Book.all)
    let unsold = Book.where { $0.isSold == false }.sorted { $0.title.ascending }.limit(20)
    let open = try store.fetch(unsold)
    let first = try store.find(Book.self, id: "1")
    let titles = try store.select(Book.all) { $0.title }
    print(books.count, open.count, first?.title ?? "", titles)
}

func entitiesAreWritten(_ store: Store, _ book: Book) throws {
    var book = book
    book.title = "New"
    book.shape = .sound
    try store.save(book)
    _ = try store.delete(Book.where { $0.isSold == true })
}

func linkedObjectsComeAlong(_ store: Store) throws {
    let count: () throws -> Any? = { try store.fetch(Author.all, including: \.books).count }
    for (author, books) in try store.fetch(Author.all, including: \.books) {
        print(author, books)
    }
    for (book, author) in try store.fetch(Book.all.limit(3), including: \.author) {
        print(book, author as Any)
    }
    for (author, books, again) in try store.fetch(Author.all, including: \.books, \.books) {
        print(author, books, again)
    }
    print(try count() as Any)
}

@Entity private struct Drawer {
    private enum Kind: String, AttributeValue { case deep, flat }

    @Identity private var kind: Kind
    @Identity var number: Int
}

/// Says itself what identifies its objects.
@Entity private struct Rack {
    var number: Int
    var name: String?

    nonisolated static let entityDescription = EntityDescription(
        name: "Rack", identity: ["number"],
        attributes: [
            AttributeDescription("number", Int.self, key: "number"),
            AttributeDescription("name", String?.self, key: "name"),
        ])
}

func objectsOfHiddenIdentitiesAreFound(_ store: Store, _ number: Int) throws {
    let drawer = try store.find(Drawer.self, id: "deep", number)
    let racks = try [store.find(Rack.self, id: 3), store.find(Rack.self, id: number)]
    print(drawer?.number ?? 0, racks.count)
}

@Entity private struct Cupboard: Hashable {
    @Identity var number: Int
    var drawers: Many<Drawer>
    var owner: One<Author>?
}

func objectsOfHashableTypesAreComparedAndCounted(_ store: Store) throws -> Bool {
    let cupboards = try store.fetch(Cupboard.all)
    return Set(cupboards).count == 1 && cupboards == [cupboards[0]]
}
