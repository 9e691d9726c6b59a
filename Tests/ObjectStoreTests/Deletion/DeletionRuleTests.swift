import Foundation
import Testing

@testable import LarderObjectStore

/// `cascade` and `deny`.
struct DeletionRuleTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws { library = try Library.fixture() }

    private func ids(_ table: String) throws -> [String] {
        try library.rows("SELECT id FROM \(table) ORDER BY id")
    }

    /// Names that statements could have for something of their own.
    @Test func `entities may be called like what a statement works with`() throws {
        let store = try Store.inMemory(entities: Doomed.self, Stuck.self, Rows.self)
        try store.import(
            [Doomed].self, from: #"[{"id": 1, "rows": [{"id": 2, "count": 3}], "stuck": []}]"#)
        try store.import([Doomed].self, from: #"[{"id": 4, "rows": [], "stuck": [{"id": 5}]}]"#)
        #expect(try store.value(Rows.all.limit(2)) { $0.count.sum } == 3)
        try store.delete(One<Doomed>(id: 1))
        #expect(try store.count(Rows.all) == 0)
        #expect(throws: WritingError.self) { try store.delete(One<Doomed>(id: 4)) }
        try store.delete(Stuck.all)
        try store.delete(One<Doomed>(id: 4))
        #expect(try store.count(Doomed.all) == 0)
    }

    @Test func `cascade takes along what hangs on it, by both ways of keeping links`() throws {
        let shelf = Shelf(id: 1, name: "A", books: .unchanged)
        try store.save(Library.book(1, shelf: One(shelf), sequel: One(Library.book(2))))
        try store.save(Library.book(3, shelf: One(shelf)))
        try store.save(Library.book(4))
        let report = try store.write { context in
            let count = try context.delete(shelf)
            #expect(count == 4)
            return context.report
        }
        #expect(report["Book"].deleted == 3 && report["Shelf"].deleted == 1)
        #expect(try ids("Book") == ["4"])
        #expect(try store.count(Author.all) == 1)
    }

    @Test func `deny names the relationship and how many it still links`() throws {
        try store.save([Library.book(1), Library.book(2)])
        let denied = library.writingError { _ = try $0.delete(Library.ann) }
        #expect(
            denied
                == WritingError(entity: "Author", attribute: "books", reason: .denied(count: 2)))
        #expect(
            "\(try #require(denied))" == "Author.books: links 2 objects, which denies the deletion")
        #expect(try store.count(Author.all) == 1)
        try store.write { context in
            try context.delete(Book.all)
            try context.delete(Library.ann)
        }
        #expect(try store.count(Author.all) == 0)
    }

    @Test func `a denied table of links counts what it links`() throws {
        try store.save(Remark(text: "A", tags: [Library.old, Library.fiction]))
        #expect(library.writingError { _ = try $0.delete(Remark.all) }?.reason == .denied(count: 2))
        try store.delete(Library.old)
        #expect(library.writingError { _ = try $0.delete(Remark.all) }?.reason == .denied(count: 1))
        try store.delete(Library.fiction)
        #expect(try store.delete(Remark.all) == 1)
    }

    @Test func `what goes along does not deny`() throws {
        let fixture = try StoreFixture(entities: Node.self)
        try fixture.store.save([
            Node(id: 1, next: nil, guarded: One(id: 2)),
            Node(id: 2, next: nil, guarded: One(id: 1)),
            Node(id: 3, next: nil, guarded: One(id: 1)),
        ])
        for objects in [[2, 3], [3, 2]] {
            let error = #expect(throws: WritingError.self) {
                try fixture.store.write { context in
                    _ = try context.delete(Node.where { $0.id.isIn(objects) })
                }
            }
            #expect(error?.reason == .denied(count: 1))
        }
        #expect(try fixture.store.delete(Node.all) == 3)
    }

    @Test func `cycles and chains of any length go in one step`() throws {
        let count = 100_000
        let fixture = try StoreFixture(entities: Node.self)
        try fixture.store.save(
            (1...count).map {
                Node(id: $0, next: $0 == 1 ? One(id: count) : One(id: $0 - 1), guarded: nil)
            })
        let start = ContinuousClock.now
        #expect(try fixture.store.delete(Node(id: 7, next: nil, guarded: nil)) == count)
        print("chain of \(count) deleted in", ContinuousClock.now - start)
        #expect(try fixture.rows("SELECT count(*) FROM Node") == ["0"])
    }
}

@Entity struct Doomed {
    @Identity var id: Int
    @Relationship(delete: .cascade) var rows: Many<Rows>
    @Relationship(delete: .deny) var stuck: Many<Stuck>
}

@Entity struct Stuck { @Identity var id: Int }

@Entity struct Rows {
    @Identity var id: Int
    var count: Int
}
