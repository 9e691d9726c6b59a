import Foundation
import Testing

@testable import LarderObjectStore

/// Relationships that are changed one link at a time, from either side.
struct ToManyEditorTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws {
        library = try Library.fixture()
        try store.save([
            Library.book(1, tags: [Library.fiction, Library.old]), Library.book(2), Library.book(3),
        ])
    }

    private func tags(of id: Int) throws -> [String] {
        try store.first(Book.where { $0.id == id })?.tags.fetch().map(\.name) ?? []
    }

    private func book(_ id: Int) throws -> Book {
        try #require(try store.first(Book.where { $0.id == id }))
    }

    @Test func `adds at the end, moves and takes away in an order`() throws {
        let book = try book(1)
        let new = Tag(name: "new", color: nil)
        try store.write { context in
            let tags = try context.edit(\.tags, of: book)
            try tags.add(new)
            try tags.add(new)
            try tags.move(new, to: 0)
            try tags.add([Library.old, Tag(name: "last", color: nil)])
            #expect(context.report["Book"] == .init(linked: 2))
        }
        #expect(try tags(of: 1) == ["new", "fiction", "old", "last"])
        try store.write { context in
            let tags = try context.edit(\.tags, of: book)
            try tags.remove(Library.fiction)
            try tags.remove(One(id: "nobody"))
            try tags.move(One(id: "new"), to: 99)
            #expect(context.report["Book"] == .init(unlinked: 1))
        }
        #expect(try tags(of: 1) == ["old", "last", "new"])
        try store.write { try $0.edit(\.tags, of: book).set([new, Library.old]) }
        #expect(try tags(of: 1) == ["new", "old"])
        try store.write { try $0.edit(\.tags, of: One<Book>(id: 1)).removeAll() }
        #expect(try tags(of: 1) == [])
        #expect(try store.count(Tag.all) == 4)
    }

    /// The law: added one by one they stand as in a list, whatever has been taken away or put there before.
    @Test(arguments: 0..<20)
    func `each that is added stands behind all others`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var expected: [String] = []
        try store.write { context in
            let tags = try context.edit(\.tags, of: One<Book>(id: 2))
            for _ in 0..<30 {
                let name = "\(Int.random(in: 0..<12, using: &random))"
                let tag = One<Tag>(id: name)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    try tags.remove(tag)
                    expected.removeAll { $0 == name }
                case 1:
                    try tags.move(tag, to: 0)
                    expected = [name] + expected.filter { $0 != name }
                default:
                    try tags.add(tag)
                    if !expected.contains(name) { expected.append(name) }
                }
            }
            try context.save((0..<12).map { Tag(name: "\($0)", color: nil) })
        }
        #expect(try self.tags(of: 2) == expected)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `both ends of a relationship change together`() throws {
        let shelf = Shelf(id: 1, name: "A", books: .unchanged)
        try store.write { context in
            try context.save(shelf)
            try context.edit(\.books, of: shelf).add(Many(ids: [1, 2]))
            #expect(context.report["Shelf"].linked == 2)
            #expect(context.report["Book"].updated == 2)
        }
        #expect(try book(1).shelf?.fetch().name == "A")
        try store.write { try $0.edit(\.shelf, of: try book(3)).set(shelf) }
        let stored = try #require(try store.first(Shelf.all))
        #expect(try stored.books.fetch().map(\.id) == [1, 2, 3])
        try store.write { context in
            try context.edit(\.shelf, of: try book(2)).clear()
            try context.edit(\.books, of: shelf).remove(try book(1))
        }
        #expect(try stored.books.fetch().map(\.id) == [3])
        try store.write { try $0.edit(\.books, of: shelf).set(Many(ids: [1])) }
        #expect(try stored.books.fetch().map(\.id) == [1])
    }

    @Test func `another owner's list is what it says, and none of one's own`() throws {
        let (a, b) = (
            Shelf(id: 1, name: "A", books: .unchanged), Shelf(id: 2, name: "B", books: .unchanged)
        )
        try store.write { context in
            try context.save([a, b])
            try context.edit(\.books, of: a).add(Many(ids: [1]))
            try context.edit(\.books, of: b).add(Many(ids: [2, 3]))
        }
        let books = try #require(try store.find(Shelf.self, id: 1)).books
        func ids(_ id: Int) throws -> [Int]? {
            try store.find(Shelf.self, id: id)?.books.fetch().map(\.id)
        }
        try store.write { try $0.edit(\.books, of: b).remove(books) }
        #expect(try ids(2) == [2, 3])
        try store.write { try $0.edit(\.books, of: b).add(books) }
        #expect(try ids(1) == [] && ids(2) == [1, 2, 3])
        let all = try #require(try store.find(Shelf.self, id: 2)).books
        try store.write { try $0.edit(\.books, of: a).set(all) }
        #expect(try ids(1) == [1, 2, 3] && ids(2) == [])
        try store.write { context in
            let editor = try context.edit(\.books, of: a)
            try editor.add(.unchanged)
            try editor.remove(.unchanged)
            try editor.set(.unchanged)
        }
        #expect(try ids(1) == [1, 2, 3])
    }

    @Test func `taking away makes nothing`() throws {
        let (count, tags) = (try store.count(Tag.all), try tags(of: 1))
        try store.write { context in
            let editor = try context.edit(\.tags, of: try book(1))
            try editor.remove([Tag(name: "nobody", color: nil)])
            try editor.remove(Many(ids: ["ghost"]))
        }
        #expect(try store.count(Tag.all) == count && store.count(Tag.references) == 0)
        #expect(try self.tags(of: 1) == tags)
    }

    @Test func `an object that has gone is linked no more, and need not be taken away`() throws {
        let before = try tags(of: 1)
        let tag = try store.save(Tag(name: "brief", color: nil))
        try store.write { try $0.edit(\.tags, of: try book(1)).add(tag) }
        try store.delete(tag)
        try store.write { context in
            let tags = try context.edit(\.tags, of: try book(1))
            try tags.remove(tag)
            try tags.remove([Tag(name: "brief", color: nil)])
            #expect(context.report.total == .init())
        }
        #expect(try tags(of: 1) == before)
    }

    @Test func `a relationship that is its own inverse is symmetric`() throws {
        try store.write { context in
            try context.edit(\.similar, of: try book(1)).add(try book(2))
            try context.edit(\.similar, of: try book(1)).add(try book(1))
        }
        #expect(try book(2).similar.fetch().map(\.id) == [1])
        #expect(try book(1).similar.fetch().map(\.id) == [1, 2])
        try store.write { try $0.edit(\.similar, of: try book(2)).remove(try book(1)) }
        #expect(try book(1).similar.fetch().map(\.id) == [1])
    }

    @Test func `nothing is written where nothing changes`() throws {
        let size = try library.logSize
        try store.write { context in
            let tags = try context.edit(\.tags, of: try book(1))
            try tags.set([Library.fiction, Library.old])
            try tags.add(Library.old)
            try tags.move(Library.old, to: 1)
            try tags.remove(One(id: "none"))
            try context.edit(\.author, of: try book(1)).set(Library.ann)
            #expect(context.report.total == .init())
        }
        #expect(try library.logSize == size)
    }

    @Test func `what an object can't be without is not taken away`() throws {
        let without = #expect(throws: WritingError.self) {
            try store.write { try $0.edit(\.books, of: Library.ann).removeAll() }
        }
        #expect(
            without
                == WritingError(entity: "Book", attribute: "author", reason: .leftWithout(count: 3))
        )
        let missing = #expect(throws: WritingError.self) {
            try store.write { try $0.edit(\.author, of: try book(1)).set(nil) }
        }
        #expect(missing == WritingError(entity: "Book", attribute: "author", reason: .missing))
        let bea = Author(id: 2, name: "Bea", books: .unchanged)
        try store.write { context in
            try context.save(bea)
            try context.edit(\.books, of: bea).add(try book(1))
        }
        #expect(try book(1).author.fetch().name == "Bea")
    }

    @Test func `what has no order can't be moved in`() throws {
        let error = #expect(throws: WritingError.self) {
            try store.write { try $0.edit(\.books, of: Library.ann).move(try book(1), to: 0) }
        }
        #expect(error?.attribute == "books")
    }

    @Test func `an object that is not in the store has no relationships`() throws {
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.edit(\.tags, of: Library.book(9)).removeAll() }
        }
        #expect(error?.reason == .missingObject)
    }

    @Test func `links are taken away together, those that are not there left out`() throws {
        try store.write { context in
            let shelf = Shelf(id: 1, name: "S", books: Many(try context.fetch(Book.all)))
            try context.save(shelf)
            let shelved = try context.edit(\.books, of: shelf)
            try shelved.remove(Many(try context.fetch(Book.where { $0.id < 3 })))
            try shelved.remove(One(id: 77))
        }
        #expect(try store.fetch(Book.where { $0.shelf == One(id: 1) }).map(\.id) == [3])
    }

    @Test func `queries find by objects that are made in code`() throws {
        try store.write { try $0.edit(\.shelf, of: try book(2)).set(One(id: 5)) }
        #expect(try store.fetch(Book.where { $0.shelf == One(id: 5) }).map(\.id) == [2])
        #expect(try store.fetch(Book.where { $0.shelf != One(id: 5) }).map(\.id) == [1, 3])
        #expect(try store.count(Book.where { $0.author == One(Library.ann) }) == 3)
    }

    @Test func `an order that is set is kept, also where it was there by chance`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        // Numbered in this order.
        for id in ["a", "b", "c"] { try comics.insert("Power", #"{"id": "\#(id)", "name": "p"}"#) }
        for id in ["a", "c"] {
            try comics.insert("Power", #"{"id": "\#(id)", "name": "p", "heroes": [1]}"#)
        }
        try comics.store.write {
            let powers = try $0.edit(\.powers, of: One<Hero>(id: 1))
            try powers.set(Many(ids: ["a", "c"]))
            #expect($0.report["Hero"].linked == 0)
        }
        try comics.insert("Power", #"{"id": "b", "name": "p", "heroes": [1]}"#)
        let powers = try #require(try comics.store.first(Hero.all)).powers
        #expect(try powers.fetch().map(\.id) == ["a", "c", "b"])
    }
}
