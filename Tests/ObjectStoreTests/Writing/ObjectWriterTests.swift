import Foundation
import Testing

@testable import LarderObjectStore

/// Objects that are written without JSON.
struct ObjectWriterTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws { library = try Library.fixture() }

    @Test func `saves an object with all that it is made with`() throws {
        let report = try store.write { context in
            let saved = try context.save(
                Library.book(
                    1, title: "One", shelf: One(id: 7), tags: [Library.fiction, Library.old]))
            #expect(try saved.fetch().title == "One")
            return context.report
        }
        #expect(report["Book"] == .init(1, linked: 2))
        #expect(report["Author"] == .init(1))
        #expect(report["Tag"] == .init(2))
        #expect(report["Shelf"] == .init(1))
        let book = try #require(try store.first(Book.all))
        #expect(book.title == "One" && book.pages == nil && book.lent == 0)
        #expect(try book.author.fetch().name == "Ann")
        #expect(try book.tags.fetch().map(\.name) == ["fiction", "old"])
        #expect(try book.tags.fetch().map(\.color) == ["red", nil])
        #expect(try library.rows("SELECT id, name FROM Shelf") == ["7|NULL"])
    }

    @Test func `writes nothing where nothing changes`() throws {
        try store.save(Library.book(1, tags: [Library.fiction]))
        let book = try #require(try store.first(Book.all))
        let size = try library.logSize
        let report = try store.write { context in
            try context.save(book)
            try context.save(Library.book(1, tags: [Library.fiction]))
            return context.report
        }
        #expect(report["Book"] == .init(0, 0, 2))
        #expect(report["Tag"] == .init() && report["Author"] == .init())
        #expect(try library.logSize == size)
    }

    @Test func `updates the columns of an object that was read, and leaves its links`() throws {
        try store.save(Library.book(1, tags: [Library.fiction, Library.old]))
        var book = try #require(try store.first(Book.all))
        book.title = "New"
        book.pages = 12
        let report = try store.write { context in
            try context.save(book)
            return context.report
        }
        #expect(report["Book"] == .init(0, 1))
        book = try #require(try store.first(Book.all))
        #expect(book.title == "New" && book.pages == 12)
        #expect(try book.tags.count == 2)
    }

    @Test func `lists made in code replace links, as stored leaves them`() throws {
        try store.save(Library.book(1, tags: [Library.fiction, Library.old]))
        try store.save(Library.book(1, tags: .unchanged))
        #expect(try store.first(Book.all)?.tags.fetch().map(\.name) == ["fiction", "old"])
        try store.save(Library.book(1, tags: [Library.old, Library.fiction]))
        #expect(try store.first(Book.all)?.tags.fetch().map(\.name) == ["old", "fiction"])
        try store.save(Library.book(1, tags: Many(ids: ["old"])))
        #expect(try store.first(Book.all)?.tags.fetch().map(\.name) == ["old"])
        try store.save(Library.book(2, tags: []))
        var other = try #require(try store.first(Book.where { $0.id == 2 }))
        other.tags = try #require(try store.first(Book.where { $0.id == 1 })).tags
        try store.save(other)
        #expect(try other.tags.count == 1)
        #expect(try store.first(Book.where { $0.id == 2 })?.tags.fetch().map(\.name) == ["old"])
        try store.save(Library.book(1, tags: Many()))
        #expect(try library.rows("SELECT count(*) FROM \"Book.tags\"") == ["1"])
        #expect(try store.count(Tag.all) == 2)
    }

    @Test func `a copy under another identity leaves the original its children`() throws {
        let shelf = Shelf(id: 1, name: "A", books: [])
        try store.save([1, 2].map { Library.book($0, shelf: One(shelf), tags: [Library.old]) })
        var copy = try #require(try store.find(Shelf.self, id: 1))
        copy.id = 2
        try store.save(copy)
        #expect(try library.rows("SELECT shelf FROM Book") == ["1", "1"])
        #expect(try store.find(Shelf.self, id: 2)?.books.count == 0)
        // Lists that may share objects are copied.
        var book = try #require(try store.find(Book.self, id: 1))
        book.id = 3
        try store.save(book)
        #expect(try store.find(Book.self, id: 3)?.tags.count == 1)
        #expect(try store.find(Book.self, id: 1)?.tags.count == 1)
    }

    @Test func `a list whose owner has gone can't be saved as another's`() throws {
        try store.save(Library.book(1, tags: [Library.old]))
        let gone = try #require(try store.find(Book.self, id: 1))
        try store.delete(Book.all)
        let code = #expect(throws: StoreError.self) {
            try store.save(Library.book(2, tags: gone.tags))
        }?.reason
        #expect(code == .missingObject)
        #expect(try store.count(Book.all) == 0)
    }

    @Test func `an object that the store has is linked, not written over`() throws {
        try store.save(Library.ann)
        let stale = Author(id: 1, name: "Stale", books: .unchanged)
        try store.save(Library.book(1, author: One(stale)))
        #expect(try store.fetch(Author.all).map(\.name) == ["Ann"])
    }

    @Test func `a reference is filled by an object that is linked`() throws {
        try store.save(Library.book(1, author: One(id: 1)))
        #expect(try store.count(Author.all) == 0)
        #expect(try library.rows("SELECT id, name FROM Author") == ["1|NULL"])
        try store.save(Library.book(2, author: One(Library.ann)))
        #expect(try store.fetch(Author.all).map(\.name) == ["Ann"])
    }

    @Test func `objects without an identity are new each time`() throws {
        let remark = Remark(text: "A", tags: [])
        let ones = try store.write { [try $0.save(remark), try $0.save(remark)] }
        #expect(ones[0] != ones[1])
        #expect(try store.count(Remark.all) == 2)
        #expect(library.writingError { try $0.update(remark) }?.reason == .notIdentifiable)
        #expect(library.writingError { try $0.delete(remark) }?.reason == .notIdentifiable)
        try store.write { _ = try $0.delete(ones[0]) }
    }

    @Test func `several attributes identify together`() throws {
        let comics = try Comics.fixture()
        let card = Card(suit: "h", value: "2", timesPlayed: 1)
        try comics.store.save([card, Card(suit: "h", value: "3", timesPlayed: nil), card])
        try comics.store.save(Card(suit: "h", value: "2", timesPlayed: 5))
        #expect(
            try comics.rows("SELECT suit, value, timesPlayed FROM Card ORDER BY value")
                == ["h|2|5", "h|3|NULL"])
        let deleted = try comics.store.write { try $0.delete(One<Card>(id: "h", "2")) }
        #expect(deleted == 1)
        #expect(
            #expect(throws: WritingError.self) {
                try comics.store.write { _ = try $0.delete(One<Card>(id: "h")) }
            }?.reason == .notIdentifiable)
    }

    @Test func `several attributes that are all empty identify nothing`() throws {
        let store = try Store.inMemory(entities: Seat.self, Patron.self)
        try store.save(Seat(line: nil, place: nil, note: "a"))
        try store.save(Seat(line: 1, place: nil, note: "b"))
        let nobody = Seat.ObjectID(line: nil, place: nil)
        #expect(
            #expect(throws: WritingError.self) {
                try store.save(Patron(id: 1, seat: One(id: nobody)))
            }?.reason == .notIdentifiable)
        #expect(try store.find(Seat.self, id: nobody) == nil)
        #expect(try store.find("Seat", id: Int?.none, String?.none) == nil)
        #expect(try store.find(Seat.self, id: .init(line: 1, place: nil))?.note == "b")
        try store.save(Patron(id: 1, seat: One(Seat(line: nil, place: nil, note: "c"))))
        #expect(try store.count(Patron.where { $0.seat == One(id: nobody) }) == 0)
        #expect(try store.select(Patron.all) { $0.seat.note } == ["c"])
    }

    @Test func `inserts what is not there and updates what is`() throws {
        try store.write { context in
            try context.insert(Library.ann)
            #expect(throws: WritingError.self) { try context.insert(Library.ann) }
            try context.update(Author(id: 1, name: "Bea", books: .unchanged))
            let missing = Author(id: 2, name: "Cy", books: [])
            let error = #expect(throws: StoreError.self) { try context.update(missing) }
            #expect(error?.reason == .missingObject)
        }
        #expect(try store.fetch(Author.all).map(\.name) == ["Bea"])
        #expect(
            library.writingError { try $0.insert(Library.ann) }
                == WritingError(entity: "Author", reason: .taken))
    }

    // MARK: What is refused

    @Test func `an entity without a writing half can only be read`() throws {
        struct ReadOnly: Entity {
            static var entityName: String { "Tag" }
            static let entityDescription = Tag.entityDescription
            struct Columns: EntityColumns { init(path: ColumnPath) {} }
            init() {}
            init(row: EntityRow) throws {}
        }
        #expect(library.writingError { try $0.save(ReadOnly()) }?.reason == .notWritable)
    }

    @Test func `objects inside each other may not nest without end`() throws {
        var book = Library.book(0)
        for id in 1..<200 { book = Library.book(id, sequel: One(book)) }
        try store.save(book)
        #expect(try store.count(Book.all) == 200)
        for id in 1000..<1300 { book = Library.book(id, sequel: One(book)) }
        book = Library.book(2000, sequel: One(book))
        #expect(library.writingError { try $0.save(book) }?.reason == .tooDeep)
        #expect(try store.count(Book.all) == 200)
    }

    @Test func `nothing of what fails is left where the error is caught`() throws {
        try store.write { context in
            try context.save(Library.old)
            var bad = Library.book(2)
            bad.price = .nan
            #expect(throws: WritingError.self) {
                try context.save([Library.book(1, tags: [Library.fiction]), bad])
            }
            #expect(try context.count(Book.all) == 0)
            #expect(context.report["Book"] == .init())
            #expect(context.report["Tag"] == .init(1))
        }
        #expect(try store.fetch(Tag.all).map(\.name) == ["old"])
        #expect(try store.count(Author.all) == 0)
    }

    // MARK: With JSON

    @Test func `what a document knows of rows is forgotten when objects are written`() throws {
        let root = try JSONDocument(#"[{"name": "a", "color": "x"}]"#).root
        let element = try #require(root.elements?.first)
        try store.write { context in
            try context.import(Tag.self, from: element)
            try context.save(Tag(name: "a", color: "y"))
            try context.import(Tag.self, from: element)
            #expect(try context.fetch(Tag.all).map(\.color) == ["x"])
            #expect(try context.delete(Tag.all) == 1)
            try context.import(Tag.self, from: element)
            #expect(try context.count(Tag.all) == 1)
            #expect(context.report["Tag"].deleted == 1)
        }
        #expect(try store.fetch(Tag.all).map(\.name) == ["a"])
    }

    @Test func `a new object that several links lead to is one, as the links are`() throws {
        let store = try Store.inMemory(entities: Tour.self, Stop.self)
        let stop = One(Stop(town: "A"))
        let report = try store.write { context in
            try context.save(Tour(id: 1, first: stop, last: stop))
            return context.report
        }
        #expect(report["Stop"] == .init(1))
        let tour = try #require(try store.find(Tour.self, id: 1))
        #expect(tour.first == tour.last)
        try store.save([Tour(id: 2, first: stop, last: nil), Tour(id: 3, first: stop, last: nil)])
        #expect(try store.count(Stop.all) == 2)
        try store.save(Tour(id: 4, first: One(Stop(town: "A")), last: One(Stop(town: "A"))))
        #expect(try store.count(Stop.all) == 4)
    }

    @Test func `two of one identity are one object`() throws {
        let saved = try store.save([
            Tag(name: "a", color: "x"), Tag(name: "b", color: nil), Tag(name: "a", color: "y"),
        ])
        #expect(try saved.fetch().map(\.name) == ["a", "b"])
        #expect(try saved.fetch().map(\.color) == ["y", nil])
    }
}

@Entity private struct Tour {
    @Identity var id: Int
    var first: One<Stop>
    var last: One<Stop>?
}

@Entity private struct Seat {
    @Identity var line: Int?
    @Identity var place: String?
    var note: String
}

@Entity private struct Patron {
    @Identity var id: Int
    var seat: One<Seat>?
}

/// What nothing identifies.
@Entity private struct Stop {
    var town: String
}
