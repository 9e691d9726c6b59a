import Foundation
import Testing

@testable import LarderObjectStore

/// What can't be written, and why.
struct WritingErrorTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws { library = try Library.fixture() }

    @Test func `a number that is none is an error, not an empty value`() throws {
        var book = Library.book(1)
        for price in [Double.nan, .signalingNaN] {
            book.price = price
            let error = library.writingError { try $0.save(book) }
            #expect(error?.attribute == "price")
            #expect("\(try #require(error))".contains("expected a number"))
        }
        book.price = .infinity
        try store.save(book)
        #expect(try store.first(Book.all)?.price == .infinity)
    }

    @Test func `an identity of another type or another store is an error`() throws {
        #expect(
            library.writingError {
                try $0.save(Library.book(1, author: One(identityValues: [.text("x")])))
            }?.attribute == "id")
        #expect(
            library.writingError {
                try $0.save(
                    Library.book(1, author: One(identityValues: [.integer(1), .integer(2)])))
            }?.reason == .notIdentifiable)
        let other = try Library.fixture()
        let author = try other.store.save(Library.ann)
        #expect(
            library.writingError { try $0.save(Library.book(1, author: author)) }?.reason
                == .otherStore)
        let tags: Many<Tag> = try other.store.save([Library.old])
        #expect(
            library.writingError { try $0.save(Library.book(1, tags: tags)) }?.reason == .otherStore
        )
        #expect(try store.count(Book.all) == 0)
    }

    @Test func `a link to what has gone is an error`() throws {
        let author = try store.save(Library.ann)
        try store.delete(Library.ann)
        let error = #expect(throws: StoreError.self) {
            try store.save(Library.book(1, author: author))
        }
        #expect(error?.reason == .missingObject)
    }

    @Test func `what is missing is named`() throws {
        struct Nameless: Entity {
            var name: String?
            static var entityName: String { "Author" }
            static let entityDescription = EntityDescription(
                name: "Author", identity: ["id"],
                attributes: [
                    AttributeDescription("id", Int.self, key: "id"),
                    AttributeDescription("name", String.self, key: "name"),
                ])
            struct Columns: EntityColumns { init(path: ColumnPath) {} }
            let says: Bool
            init(says: Bool) { self.says = says }
            init(row: EntityRow) throws { says = false }
            func write(to values: inout EntityValues) throws {
                try values.attribute(0, 1)
                if says { try values.attribute(1, name) }
            }
        }
        let expected = WritingError(entity: "Author", attribute: "name", reason: .missing)
        #expect(library.writingError { try $0.save(Nameless(says: true)) } == expected)
        #expect(library.writingError { try $0.save(Nameless(says: false)) } == expected)
        try store.save(Library.ann)
        #expect(library.writingError { try $0.save(Nameless(says: false)) } == nil)
        #expect(try store.fetch(Author.all).map(\.name) == ["Ann"])
    }
}
