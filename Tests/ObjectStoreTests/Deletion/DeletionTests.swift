import Foundation
import Testing

@testable import LarderObjectStore

/// Deleting by objects and by query, and what the rules make of it.
struct DeletionTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws { library = try Library.fixture() }

    private func ids(_ table: String) throws -> [String] {
        try library.rows("SELECT id FROM \(table) ORDER BY id")
    }

    @Test func `deletes an object, and no other`() throws {
        try store.save([Library.fiction, Library.old])
        let counts = try store.write { context in
            [try context.delete(Library.old), try context.delete(Library.old)]
        }
        #expect(counts == [1, 0])
        #expect(try store.fetch(Tag.all).map(\.name) == ["fiction"])
    }

    @Test func `nullify empties columns and links that lead to what has gone`() throws {
        try store.save(Library.book(1, shelf: One(Shelf(id: 1, name: "A", books: .unchanged))))
        try store.save(Library.book(2, sequel: One(id: 1), tags: [Library.old, Library.fiction]))
        try store.save(Library.book(3, similar: Many(ids: [2])))
        let report = try store.write { context in
            try context.delete(Library.old)
            try context.delete(One<Book>(id: 1))
            return context.report
        }
        #expect(report["Tag"].deleted == 1)
        #expect(report["Book"] == ImportReport.Counts.deleting(1, updated: 1, unlinked: 1))
        #expect(
            try library.rows("SELECT id, sequel FROM Book ORDER BY id") == ["2|NULL", "3|NULL"])
        #expect(try library.rows("SELECT target FROM \"Book.tags\"").count == 1)
        try store.write { _ = try $0.delete(Book.where { $0.id == 2 }) }
        #expect(try library.rows("SELECT count(*) FROM \"Book.tags\"") == ["0"])
        #expect(try library.rows("SELECT count(*) FROM \"Book.similar\"") == ["0"])
        #expect(try library.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `an object that loses several links by one deletion is updated once`() throws {
        let teams = ["home", "away", "winner"].map {
            RelationshipDescription($0, to: "Team", isOptional: true, key: $0)
        }
        let fixture = try StoreFixture(
            .numbered(
                "Team",
                relationships: [
                    RelationshipDescription(
                        "cups", to: "Cup", isToMany: true, key: "cups", deleteRule: .cascade)
                ]),
            .numbered("Cup"),
            .numbered(
                "Match",
                relationships: teams + [
                    RelationshipDescription("cup", to: "Cup", isOptional: true, key: "cup")
                ]))
        try fixture.insert("Team", #"[{"id": 1, "cups": [{"id": 5}]}, {"id": 2, "cups": []}]"#)
        try fixture.insert(
            "Match",
            """
            [{"id": 1, "home": 1, "away": 2, "winner": 1, "cup": 5},
             {"id": 2, "home": 2, "away": 1, "winner": 2, "cup": 6}, {"id": 3, "home": 2}]
            """)
        let report = try fixture.store.write { context in
            try context.delete(DynamicQuery("Team").where("id", is: 1))
            return context.report
        }
        #expect(report["Match"] == .init(0, 2))
        #expect(
            try fixture.rows("SELECT home, away, winner, cup FROM Match ORDER BY id") == [
                "NULL|2|NULL|NULL", "2|NULL|2|6", "2|NULL|NULL|NULL",
            ])
    }

    @Test func `an object that would be left without what it must have is counted`() throws {
        try store.save([Loan(id: 1, book: One(Library.book(1))), Loan(id: 2, book: One(id: 1))])
        let refused = library.writingError { _ = try $0.delete(Book.all) }
        #expect(
            refused
                == WritingError(entity: "Loan", attribute: "book", reason: .leftWithout(count: 2)))
        try store.write { context in
            try context.delete([Loan(id: 1, book: One(id: 1)), Loan(id: 2, book: One(id: 1))])
            try context.delete(Book.all)
        }
        #expect(try store.count(Book.all) == 0)
    }

    @Test func `what is named twice goes once`() throws {
        try store.save([Library.fiction, Library.old])
        #expect(try store.delete([Library.fiction, Library.old, Library.fiction]) == 2)
        #expect(try store.count(Tag.all) == 0)
    }

    @Test func `a query deletes what it finds, in its order and within its limit`() throws {
        try store.save((1...5).map { Library.book($0) })
        #expect(try store.delete(Book.all.sorted { $0.id.descending }.limit(2)) == 2)
        #expect(try ids("Book") == ["1", "2", "3"])
        #expect(try store.delete(Book.where { $0.author.name == "Nobody" }) == 0)
        #expect(try store.delete(Book.where { $0.author.name == "Ann" && $0.id > 1 }) == 2)
        #expect(try ids("Book") == ["1"])
    }

    @Test func `many objects go in few statements`() throws {
        let count = 50_000
        try store.save(
            (1...count).map { Library.book($0, tags: $0 % 10 == 0 ? [Library.old] : []) })
        let start = ContinuousClock.now
        #expect(try store.delete(Book.where { $0.id <= count / 2 }) == count / 2)
        #expect(try store.delete(Book.all) == count / 2)
        print("\(count) objects deleted in", ContinuousClock.now - start)
        #expect(try library.rows("SELECT count(*) FROM \"Book.tags\"") == ["0"])
        #expect(try library.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `what fails leaves the transaction as it was`() throws {
        try store.save([Library.book(1), Library.book(2, sequel: One(id: 1))])
        try store.write { context in
            #expect(throws: WritingError.self) { try context.delete(Library.ann) }
            #expect(context.report["Author"] == .init())
            let count = try context.delete(Book.where { $0.id == 1 })
            #expect(count == 1)
        }
        #expect(try ids("Book") == ["2"])
        #expect(try ids("Author") == ["1"])
    }
}

extension ImportReport.Counts {
    fileprivate static func deleting(_ deleted: Int, updated: Int, unlinked: Int) -> Self {
        var counts = Self(0, updated, unlinked: unlinked)
        counts.deleted = deleted
        return counts
    }
}

/// A chain that goes with its first link, and whose links may guard each other.
@Entity struct Node {
    @Identity var id: Int
    @Relationship(delete: .cascade) var next: One<Node>?
    @Relationship(delete: .deny) var guarded: One<Node>?
}
