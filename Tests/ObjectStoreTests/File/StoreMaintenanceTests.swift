import Foundation
import Testing

@testable import LarderObjectStore

/// Backups, checks, sizes and other upkeep.
struct StoreMaintenanceTests {
    private let cards: CardFiles
    private let store: Store
    private var folder: TemporaryFolder { cards.folder }

    init() throws {
        cards = try CardFiles()
        store = try cards.store(500)
    }

    // MARK: Upkeep

    @Test func `vacuuming gives room back`() throws {
        try CardFiles.fill(store, 500..<5_000)
        let connection = try folder.open("a", creates: false, busyTimeout: 5_000)
        try connection.execute("DELETE FROM Card WHERE suit <> 's1'")
        let before = try store.size
        try store.vacuum()
        #expect(try store.size < before / 10)
        #expect(try store.fetch(Card.all).map(\.suit) == ["s1"])
        try CardFiles.fill(store, 0..<1)
    }

    @Test func `vacuuming leaves no searchable word of what was deleted`() throws {
        let fixture = try Magazine.fixture()
        let store = fixture.store
        try store.save(Article(id: 9, title: "overdraft", text: nil, stars: nil, columnist: nil))
        try store.delete(Article.where { $0.id == 9 })
        try store.vacuum()
        #expect(try !fixture.holds("overdraft"))
        #expect(try Magazine.found(Article.matching("launch"), in: store) == [1])
        try store.checkSearch("Article")
    }

    @Test func `a full store can be vacuumed whose index has no room to be merged`() throws {
        var configuration = Store.Configuration()
        configuration.maximumSize = 400_000
        let fixture = try StoreFixture(
            Model(entities: Magazine.types), configuration: configuration)
        let error = #expect(throws: StoreError.self) {
            for part in 0..<1_000 {
                let articles = (0..<100).map {
                    #"{"id": \#(part * 100 + $0), "title": "a\#(part * $0) b\#($0) c\#(part)"}"#
                }
                try fixture.insert("Article", "[\(articles.joined(separator: ", "))]")
            }
        }
        #expect(error?.reason == .full)
        try fixture.store.vacuum()
        try fixture.store.checkSearch("Article")
    }

    @Test func `the size is that of the file and its log`() throws {
        let files = try ["a", "a-wal"].reduce(0) { try $0 + Data(contentsOf: cards.url($1)).count }
        #expect(try store.size == files)
        let memory = try Store.inMemory(entities: Card.self)
        let empty = try memory.size
        try CardFiles.fill(memory, 0..<500)
        #expect(try memory.size > empty)
    }

    @Test func `a store grows no larger than it may`() throws {
        var configuration = Store.Configuration()
        configuration.maximumSize = 200_000
        let small = try Store(
            at: folder.file("small"), entities: Card.self, configuration: configuration)
        try CardFiles.fill(small, 0..<100)
        let error = #expect(throws: StoreError.self) { try CardFiles.fill(small, 100..<2_000) }
        #expect(error?.reason == .full)
        #expect(try small.count(Card.all) == 100)
        try CardFiles.fill(small, 100..<110)
    }

    @Test func `maintenance of a closed store is an error`() throws {
        try store.close()
        #expect(throws: StoreError.self) { try store.backUp(to: cards.url("b")) }
        #expect(throws: StoreError.self) { try store.checkIntegrity() }
        #expect(throws: StoreError.self) { try store.vacuum() }
    }
}
