import Foundation
import Testing

@testable import LarderObjectStore

/// What is saved of a store that is rebuilt.
struct StoreSalvageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make() throws {
        let store = try Store(
            at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self)
        let heroes = (1...2_000).map {
            #"{"id": \#($0), "name": "h\#($0)", "publisher": {"id": 1, "name": "p"}, "powers": [{"id": "\#($0 % 7)", "name": "x"}]}"#
        }
        _ = try store.import(
            Many<Hero>.self, from: Data("[\(heroes.joined(separator: ", "))]".utf8))
        try store.vacuum()
        try store.close()
    }

    private func rebuild() throws -> (store: Store, report: RebuildReport) {
        try Store.rebuild(
            at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self)
    }

    private func damage(_ range: Range<Int>) throws {
        var bytes = try folder.bytes("a")
        bytes.replaceSubrange(range, with: Data(repeating: 0xA5, count: range.count))
        try bytes.write(to: URL(fileURLWithPath: folder.file("a")))
    }

    /// Damages a page in the midst of those that hold the heroes.
    private func damageHeroes() throws {
        let root = try folder.open("a").value(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'Hero'")
        guard case .integer(let number)? = root else { throw StoreError(.unexpectedValue, "root") }
        let page = Array(try folder.bytes("a").dropFirst((Int(number) - 1) * 4096).prefix(4096))
        // An inner page: its kind, and from byte 12 on where the cells are, each a page below first.
        try #require(page[0] == 5)
        let middle = (Int(page[3]) << 8 | Int(page[4])) / 2
        let cell = Int(page[12 + 2 * middle]) << 8 | Int(page[13 + 2 * middle])
        let leaf = page[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        try damage((leaf - 1) * 4096..<leaf * 4096)
    }

    @Test func `all of a store that is sound is saved`() throws {
        try make()
        let before = try folder.bytes("a")
        let (store, report) = try rebuild()
        #expect(report.saved == ["Hero": 2_000, "Publisher": 1, "Power": 7, "Card": 0])
        #expect(report.incomplete == [])
        #expect(report.brokenLinks == 0)
        #expect(try store.first(Hero.all)?.powers.fetch().count == 1)
        #expect(try store.checkIntegrity().isSound)
        let aside = try #require(report.damagedFile)
        #expect(aside.hasPrefix(folder.file("a") + ".damaged-"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == before)
        #expect(try TemporaryFolder.mode(folder.file("a")) == 0o600)
    }

    @Test func `references are no objects that are saved`() throws {
        let model = try Model(
            name: "Test",
            entities: [
                .numbered("User", .required("name")),
                .numbered(
                    "Post",
                    relationships: [RelationshipDescription("by", to: "User", key: "by")]),
            ])
        let store = try Store(at: folder.file("a"), model: model)
        try store.import("User", from: Data(#"{"id": 1, "name": "Ann"}"#.utf8))
        try store.import("Post", from: Data(#"{"id": 1, "by": 2}"#.utf8))
        try store.close()
        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.saved == ["User": 1, "Post": 1])
        #expect(try rebuilt.fetch(DynamicQuery("Post")).count == 1)
    }

    @Test func `what can be read of a damaged store is saved`() throws {
        try make()
        try damageHeroes()
        let (store, report) = try rebuild()
        let heroes = try #require(report.saved["Hero"])
        #expect(heroes > 500)
        #expect(!report.incomplete.isEmpty)
        #expect(try store.count(Hero.all) == heroes)
        #expect(try store.checkIntegrity().isSound)
    }

    /// Runs statements on the file as any program could.
    private func tamper(_ sql: String) throws {
        try Connection(path: folder.file("a"), creates: true, readOnly: false, busyTimeout: 0)
            .execute(sql)
    }

    @Test func `objects that have lost their identity are not saved`() throws {
        let store = try Store(
            at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self)
        for value in 1...3 {
            try store.insert("Card", #"{"suit": "s", "value": "\#(value)"}"#)
        }
        try store.close()
        try tamper("UPDATE Card SET suit = NULL WHERE value = '2'")
        let (rebuilt, report) = try rebuild()
        #expect(report.saved["Card"] == 2)
        #expect(report.incomplete == ["Card"])
        #expect(try rebuilt.fetch(Card.all).map(\.value) == ["1", "3"])
        #expect(try rebuilt.checkIntegrity().isSound)
    }
}
