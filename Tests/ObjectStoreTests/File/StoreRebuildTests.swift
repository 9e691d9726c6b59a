import Foundation
import Testing

@testable import LarderObjectStore

/// Damaged stores that are moved aside and made anew.
struct StoreRebuildTests {
    private let heroFile: HeroFile
    private var folder: TemporaryFolder { heroFile.folder }

    init() throws { heroFile = try HeroFile() }

    @Test func `another program's database is left alone`() throws {
        try heroFile.tamper("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
        let before = try folder.bytes("a")
        let error = #expect(throws: StoreError.self) { try heroFile.rebuild() }
        #expect(error?.reason == .notAStore)
        #expect(try folder.bytes("a") == before)
        #expect(try folder.files == ["a"])
    }

    @Test func `a newer version's store is left alone`() throws {
        try heroFile.make()
        try heroFile.tamper("PRAGMA user_version = 1000")
        let error = #expect(throws: StoreError.self) { try heroFile.rebuild() }
        #expect(error?.reason == .newerStore)
        #expect(try folder.files.filter { !$0.hasPrefix("a-") } == ["a"])
    }

    @Test func `a store that has lost its mark is rebuilt`() throws {
        try heroFile.make()
        try heroFile.tamper("PRAGMA application_id = 7")
        let (store, report) = try heroFile.rebuild()
        #expect(report.saved["Hero"] == 2_000)
        #expect(try store.count(Hero.all) == 2_000)
    }

    @Test func `so is one whose number of the layout is damaged beside the mark`() throws {
        try heroFile.make()
        try heroFile.tamper("PRAGMA application_id = 7; PRAGMA user_version = 1000000")
        let (store, report) = try heroFile.rebuild()
        #expect(report.saved["Hero"] == 2_000)
        #expect(try store.count(Hero.all) == 2_000)
    }

    @Test func `a file that has lost everything is rebuilt`() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("a")))
        let (store, _) = try heroFile.rebuild()
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `of a file that is no database any more nothing is saved`() throws {
        try heroFile.make()
        try heroFile.damage(0..<4096)
        let (store, report) = try heroFile.rebuild()
        #expect(report.saved.values.allSatisfy { $0 == 0 })
        #expect(report.incomplete == ["Card", "Hero", "Power", "Publisher", "Hero.powers"])
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `a rebuild that fails leaves everything as it was`() throws {
        try heroFile.make()
        try heroFile.damageHeroes()
        let before = try folder.bytes("a")
        var configuration = Store.Configuration()
        configuration.maximumSize = 20 * 4096
        let error = #expect(throws: StoreError.self) {
            try Store.rebuild(
                at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self,
                configuration: configuration)
        }
        #expect(error?.reason == .full)
        #expect(error?.path == folder.file("a"))
        #expect(try folder.bytes("a") == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        // Reading makes an empty log.
        #expect(Set(names).subtracting(["a-wal", "a-shm"]) == ["a"])
    }

    @Test func `the log of a damaged store moves with it`() throws {
        try heroFile.make()
        let connection = try Connection(
            path: folder.file("a"), creates: false, readOnly: false, busyTimeout: 0)
        try connection.execute("INSERT INTO Card (suit, value) VALUES ('s', 'v')")
        let log = try folder.bytes("a-wal")
        // As a process leaves it that is killed.
        let copy = folder.file("b")
        try folder.bytes("a").write(to: URL(fileURLWithPath: copy))
        try log.write(to: URL(fileURLWithPath: copy + "-wal"))
        let (store, report) = try Store.rebuild(
            at: copy, entities: Publisher.self, Hero.self, Power.self, Card.self)
        #expect(report.saved["Card"] == 1)
        #expect(try store.count(Card.all) == 1)
        let aside = try #require(report.damagedFile)
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside + "-wal")) == log)
    }

    @Test func `what is not the file's fault ends a rebuild`() throws {
        #expect(throws: StoreError.self) {
            try StoreSalvage.attempt { throw StoreError(resultCode: 7, message: "no memory") }
        }
        for code: Int32 in [11, 266] {
            // Damage, and a sector that can't be read.
            let value: Int? = try StoreSalvage.attempt {
                throw StoreError(resultCode: code, message: "damage")
            }
            #expect(value == nil)
        }
    }

    @Test func `where there is no file a new store is made`() throws {
        let (store, report) = try heroFile.rebuild()
        #expect(report == RebuildReport())
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `opening rebuilds where it is told to`() throws {
        try heroFile.make()
        try heroFile.damage(0..<4096)
        let reports = Reports()
        var configuration = Store.Configuration()
        #expect(throws: StoreError.self) {
            try Store(at: folder.file("a"), entities: Hero.self, Publisher.self, Power.self)
        }
        configuration.damagePolicy = .rebuild { reports.append($0) }
        let store = try Store(
            at: folder.file("a"), entities: Hero.self, Publisher.self, Power.self,
            configuration: configuration)
        #expect(try store.count(Hero.all) == 0)
        #expect(reports.all.count == 1)
        // What is something else than a store is nobody's to move.
        try folder.open("other").execute("CREATE TABLE t (x)")
        let error = #expect(throws: StoreError.self) {
            try Store(
                at: folder.file("other"), entities: Card.self, configuration: configuration)
        }
        #expect(error?.reason == .notAStore)
        #expect(reports.all.count == 1)
    }

    @Test func `a store of another model is saved and then migrated`() throws {
        try heroFile.make()
        var card = Card.entityDescription
        card.attributes.append(.optional("note"))
        let model = try Model(
            name: "B",
            entities: [
                Publisher.entityDescription, Hero.entityDescription, Power.entityDescription, card,
            ])
        let (store, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.saved["Hero"] == 2_000)
        #expect(try store.count(Hero.all) == 2_000)
    }

    /// Reports that a closure has been called with.
    private final class Reports: @unchecked Sendable {
        // Unchecked because `values` is only touched under the lock.
        private let lock = NSLock()
        private var values: [RebuildReport] = []

        func append(_ value: RebuildReport) { lock.withLock { values.append(value) } }
        var all: [RebuildReport] { lock.withLock { values } }
    }
}
