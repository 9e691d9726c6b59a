import Foundation
import Testing

@testable import LarderObjectStore

/// What an update may set, and to what.
struct ColumnAssignmentTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws {
        library = try Library.fixture()
        try store.save((1...4).map { Library.book($0, title: "T\($0)") })
    }

    @Test func `sets relationships and columns from columns`() throws {
        try store.write { context in
            try context.update(Book.where { $0.id == 1 }) {
                $0.shelf.set(One(id: 3))
                $0.price.set($0.price)
            }
        }
        #expect(try library.rows("SELECT shelf FROM Book WHERE id = 1") == ["3"])
        try store.write { try $0.update(Book.all) { $0.shelf.set(nil) } }
        #expect(try library.rows("SELECT count(*) FROM Book WHERE shelf IS NULL") == ["4"])
        #expect(
            library.writingError { _ = try $0.update(Book.all) { $0.author.set(nil) } }
                == WritingError(entity: "Book", attribute: "author", reason: .missing))
    }

    @Test func `a column is set once`() throws {
        let error = library.writingError {
            _ = try $0.update(Book.all) {
                $0.title.set("A")
                $0.title.set("B")
            }
        }
        #expect(error?.attribute == "title")
    }

    @Test func `identities and columns of other objects can't be set`() throws {
        #expect(
            library.writingError { _ = try $0.update(Book.all) { $0.id.set(5) } }
                == WritingError(entity: "Book", attribute: "id", reason: .fixed))
        #expect(
            library.writingError { _ = try $0.update(Book.all) { $0.author.name.set("X") } } != nil)
        #expect(
            library.writingError { _ = try $0.update(Book.all) { $0.price.set(.nan) } }?.attribute
                == "price")
    }
}
