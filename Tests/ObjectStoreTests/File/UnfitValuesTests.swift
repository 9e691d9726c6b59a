import Foundation
import Testing

@testable import LarderObjectStore

/// Values in a damaged store that their attributes never took.
struct UnfitValuesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a store of drafts of which three hold what no stage is.
    private func make() throws {
        let store = try Store(at: folder.file("a"), entities: Draft.self, Tray.self)
        try store.import(
            [Draft].self,
            from: """
                [{"id": 1, "stage": "merged"}, {"id": 2, "stage": "open", "last": "merged"},
                 {"id": 3, "stage": "open", "next": "merged"}, {"id": 4, "stage": "merged"}]
                """)
        try store.import([Tray].self, from: #"[{"stage": "open"}, {"stage": "merged"}]"#)
        try store.close()
        try tamper(
            """
            UPDATE Draft SET stage = 'mErged' WHERE id = 1;
            UPDATE Draft SET last = 'mErged' WHERE id = 2;
            UPDATE Draft SET next = 'mErged' WHERE id = 3;
            UPDATE Tray SET stage = 'mErged' WHERE stage = 'merged'
            """)
    }

    private func tamper(_ sql: String) throws { try folder.open("a").execute(sql) }

    private func check(_ report: RebuildReport) {
        #expect(report.saved == ["Draft": 3, "Tray": 1])
        #expect(report.incomplete == ["Draft", "Tray"])
    }

    private func check(_ store: Store) throws {
        let drafts = try store.fetch(Draft.all)
        #expect(drafts.map(\.id) == [2, 3, 4])
        #expect(drafts.map(\.stage) == [.open, .open, .merged])
        #expect(drafts.map(\.last) == [.open, .open, .open])
        #expect(drafts.allSatisfy { $0.next == nil })
        #expect(try store.select(Draft.references) { $0.id } == [1])
        #expect(try store.fetch(Tray.all).map(\.stage) == [.open])
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `they are emptied by a rebuild, or have their default`() throws {
        try make()
        let (store, report) = try Store.rebuild(
            at: folder.file("a"), entities: Draft.self, Tray.self)
        check(report)
        try check(store)
        try store.close()
        let names = try folder.files.filter { !$0.contains(".damaged-") }
        #expect(Set(names).subtracting(["a-wal", "a-shm"]) == ["a"])
        let again = try Store(at: folder.file("a"), entities: Draft.self, Tray.self)
        #expect(try again.count(Draft.all) == 3)
    }

    @Test(arguments: ["model", "values"])
    func `they are so where the store has lost what it says of itself`(_ key: String) throws {
        try make()
        try tamper("DELETE FROM \"$store\" WHERE key = '\(key)'")
        let (store, report) = try Store.rebuild(
            at: folder.file("a"), entities: Draft.self, Tray.self)
        check(report)
        try check(store)
    }

    @Test func `a column that the damaged store never had is empty`() throws {
        let narrow = try Model(name: "Test", entities: [.numbered("A")])
        let wide = try Model(
            name: "Test",
            entities: [.numbered("A", .optional("note", .string), .optional("count", .integer))])
        let store = try Store(at: folder.file("a"), model: narrow)
        try store.import("A", from: #"[{"id": 1}, {"id": 2}]"#)
        try store.close()
        try tamper("DELETE FROM \"$store\" WHERE key = 'model'")
        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: wide)
        #expect(report.saved == ["A": 2])
        for object in try rebuilt.fetch(DynamicQuery("A")) {
            #expect((object["note"] ?? .null) == .null && (object["count"] ?? .null) == .null)
        }
    }

    @Test func `opening that rebuilds empties them`() throws {
        try make()
        try tamper("DELETE FROM \"$store\" WHERE key = 'model'")
        var configuration = Store.Configuration()
        configuration.damagePolicy = .rebuild { #expect($0.incomplete == ["Draft", "Tray"]) }
        let store = try Store(
            at: folder.file("a"), entities: Draft.self, Tray.self, configuration: configuration)
        try check(store)
    }

    @Test func `text that is no value of its type is found, and emptied by a rebuild`() throws {
        let model = try Model(
            name: "Test",
            entities: [
                .numbered(
                    "A", .optional("page", .url), .optional("key", .uuid),
                    .optional("price", .decimal), .required("seen", .date, .unix))
            ])
        let store = try Store(at: folder.file("a"), model: model)
        try store.import(
            "A",
            from: """
                [{"id": 1, "page": "https://a.example", "price": "1.5", "seen": 1,
                  "key": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}, {"id": 2, "seen": 1}]
                """)
        #expect(try store.checkIntegrity().isSound)
        try store.close()
        try tamper(
            """
            UPDATE A SET page = 'ht*ps://a.example', "key" = 'E621E1F8', price = 'x' WHERE id = 1;
            UPDATE A SET seen = 9e999 WHERE id = 2
            """)
        let damaged = try Store(at: folder.file("a"), model: model)
        #expect(
            try damaged.checkIntegrity().problems
                == ["page", "key", "price", "seen"].map {
                    .unfit(entity: "A", attribute: $0, count: 1)
                })
        try damaged.close()
        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.saved == ["A": 1] && report.incomplete == ["A"])
        let object = try #require(try rebuilt.fetch(DynamicQuery("A")).first)
        #expect(["page", "key", "price"].allSatisfy { object[$0] == .null })
        #expect(try rebuilt.checkIntegrity().isSound)
    }

    // MARK: Models that have changed

    private func model(_ levels: AllowedValues) throws -> Model {
        var level = AttributeDescription("level", .integer, isOptional: true, key: "level")
        level.allowedValues = levels
        return try Model(name: "Test", entities: [.numbered("A", level)])
    }

    @Test func `values that were taken once are the migration's, which can refuse`() throws {
        let store = try Store(at: folder.file("a"), model: model(.integers(0...99)))
        try store.import("A", from: Data(#"[{"id": 1, "level": 12}, {"id": 2, "level": 3}]"#.utf8))
        try store.close()
        let before = try folder.bytes("a")
        var configuration = Store.Configuration()
        configuration.migration.backup = .beside
        let error = #expect(throws: MigrationError.self) {
            try Store.rebuild(
                at: folder.file("a"), model: model(.integers(0...9)), configuration: configuration)
        }
        #expect(error?.losses.map(\.count) == [1])
        #expect(error?.path == folder.file("a"))
        #expect(try folder.bytes("a") == before)
        // Reading makes an empty log.
        #expect(Set(try folder.files).subtracting(["a-wal", "a-shm"]) == ["a"])

        configuration.migration.allowedLosses = .all
        let (rebuilt, report) = try Store.rebuild(
            at: folder.file("a"), model: model(.integers(0...9)), configuration: configuration)
        #expect(report.incomplete == [])
        let levels = try rebuilt.fetch(DynamicQuery("A")).map { $0["level"] }
        #expect(levels == [SQLValue.null, .integer(3)])
        let added = try folder.files.filter {
            $0.hasPrefix("a.") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        #expect(added.count == 2)
        #expect(added[0].hasPrefix("a.backup-") && added[1].hasPrefix("a.damaged-"))
    }
}

enum Stage: String, AttributeValue {
    case open, merged
}

@Entity struct Draft {
    @Identity var id: Int
    var stage: Stage
    var last: Stage = .open
    var next: Stage?
}

@Entity struct Tray {
    @Identity var stage: Stage
}
