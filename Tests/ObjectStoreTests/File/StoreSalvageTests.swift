import Foundation
import Testing

@testable import LarderObjectStore

/// What is saved of a store that is rebuilt.
struct StoreSalvageTests {
    private let heroFile: HeroFile
    private var folder: TemporaryFolder { heroFile.folder }

    init() throws { heroFile = try HeroFile() }

    @Test func `all of a store that is sound is saved`() throws {
        try heroFile.make()
        let before = try folder.bytes("a")
        let (store, report) = try heroFile.rebuild()
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
        try heroFile.make()
        try heroFile.damageHeroes()
        let (store, report) = try heroFile.rebuild()
        let heroes = try #require(report.saved["Hero"])
        #expect(heroes > 1_700)
        #expect(!report.incomplete.isEmpty)
        #expect(try store.count(Hero.all) == heroes)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `what lies between two damaged pages is saved`() throws {
        try heroFile.make()
        for eighths in [1, 3, 7] { try heroFile.damageHeroes(eighths: eighths) }
        let (store, report) = try heroFile.rebuild()
        let heroes = try #require(report.saved["Hero"])
        #expect(heroes > 1_200 && heroes < 2_000)
        #expect(report.incomplete.contains("Hero"))
        #expect(try store.count(Hero.where { $0.id >= 500 && $0.id < 600 }) == 100)
        #expect(try store.count(Hero.where { $0.id >= 1_000 && $0.id < 1_500 }) == 500)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `objects that have lost their identity are not saved`() throws {
        let store = try Store(
            at: folder.file("a"), entities: Publisher.self, Hero.self, Power.self, Card.self)
        for value in 1...3 {
            try store.insert("Card", #"{"suit": "s", "value": "\#(value)"}"#)
        }
        try store.close()
        try heroFile.tamper("UPDATE Card SET suit = NULL WHERE value = '2'")
        let (rebuilt, report) = try heroFile.rebuild()
        #expect(report.saved["Card"] == 2)
        #expect(report.incomplete == ["Card"])
        #expect(try rebuilt.fetch(Card.all).map(\.value) == ["1", "3"])
        #expect(try rebuilt.checkIntegrity().isSound)
    }

    @Test(arguments: ["remark", "state", "name"])
    func `a value of another type than its column costs no more than itself`(
        _ damaged: String
    ) throws {
        let model = try Model(
            name: "Test",
            entities: [
                .numbered(
                    "Card", .required("name"),
                    AttributeDescription("remark", .string, isOptional: true, key: "remark"),
                    AttributeDescription("state", .string, key: "state", default: .string("new")))
            ])
        let store = try Store(at: folder.file("a"), model: model)
        try store.import(
            "Card",
            from: #"[{"id": 1, "name": "my name", "remark": "my remark", "state": "my state"}]"#)
        try store.close()
        try heroFile.makeBytes(of: "my \(damaged)")

        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.incomplete == ["Card"])
        #expect(try rebuilt.checkIntegrity().isSound)
        let rest = try rebuilt.fetch(DynamicQuery("Card"))
        // What lacks what is required is a reference.
        guard damaged != "name" else { return #expect(rest.isEmpty) }
        let card = try #require(rest.first)
        #expect(card["name"] == .text("my name"))
        #expect(card["remark"] == (damaged == "remark" ? .null : .text("my remark")))
        #expect(card["state"] == .text(damaged == "state" ? "new" : "my state"))
    }
}
