import Foundation
import Testing

@testable import LarderObjectStore

/// What a check of a store finds.
struct IntegrityReportTests {
    private let cards: CardFiles
    private let store: Store
    private var folder: TemporaryFolder { cards.folder }

    init() throws {
        cards = try CardFiles()
        store = try cards.store(500)
    }

    @Test(arguments: [IntegrityReport.Depth.quick, .full])
    func `a sound store has no problems`(_ depth: IntegrityReport.Depth) throws {
        #expect(try store.checkIntegrity(depth).isSound)
        #expect(try store.checkIntegrity(depth).description == "ok")
    }

    @Test func `links that lead nowhere are found`() throws {
        let store = try Store(
            at: folder.file("b"),
            model: Model(
                name: "Test",
                entities: [
                    .numbered(
                        "A",
                        relationships: [
                            RelationshipDescription("b", to: "B", isOptional: true, key: "b")
                        ]),
                    .numbered("B"),
                ]))
        try folder.open("b").execute(
            "PRAGMA foreign_keys = OFF; INSERT INTO A (id, b) VALUES (1, 7)")
        let report = try store.checkIntegrity(.quick)
        #expect(report.problems == [.brokenLink(from: "A", to: "B")])
        #expect(report.description == "A leads to an object of B that is not there")
    }

    @Test func `objects that can't be are found by a full check`() throws {
        var level = AttributeDescription("level", .integer, isOptional: true, key: "level")
        level.allowedValues = .integers(0...9)
        let store = try Store(
            at: folder.file("c"),
            model: Model(name: "Test", entities: [.numbered("A", .required("name"), level)]))
        #expect(try store.checkIntegrity().isSound)
        try folder.open("c").execute(
            "INSERT INTO A (id, name, level) VALUES (1, NULL, 1), (2, 'x', 12), (3, 'y', NULL)")
        #expect(try store.checkIntegrity(.quick).isSound)
        let report = try store.checkIntegrity()
        #expect(
            report.problems == [
                .incomplete(entity: "A", property: "name", count: 1),
                .unfit(entity: "A", attribute: "level", count: 1),
            ])
        #expect(
            report.description == """
                A.name is empty in objects that must have it (1)
                A.level holds what its type does not take (1)
                """)
    }

    @Test func `an object must have what has a default`() throws {
        let role = AttributeDescription("role", .string, key: "role", default: .string("member"))
        let note = AttributeDescription(
            "note", .string, isOptional: true, key: "note", default: .string("none"))
        let store = try Store(
            at: folder.file("e"),
            model: Model(name: "Test", entities: [.numbered("A", role, note)]))
        try folder.open("e").execute(
            """
            INSERT INTO A (id, role, note, "$reference")
            VALUES (1, NULL, NULL, NULL), (2, 'x', NULL, NULL), (3, NULL, NULL, 1)
            """)
        #expect(
            try store.checkIntegrity().problems
                == [.incomplete(entity: "A", property: "role", count: 1)])
    }

    @Test func `damaged pages are found`() throws {
        try store.vacuum()
        try store.close()
        var bytes = try Data(contentsOf: cards.url("a"))
        for index in 4096 * 5..<4096 * 9 { bytes[index] = 0xA5 }
        try bytes.write(to: cards.url("a"))
        let damaged = try Store(at: folder.file("a"), entities: Card.self)
        let report = try damaged.checkIntegrity()
        #expect(!report.isSound)
    }

    @Test func `damage where the model is kept is reported, too`() throws {
        let store = try Store(at: folder.file("d"), entities: Card.self)
        let other = try folder.open("d")
        _ = try other.allRows("PRAGMA wal_checkpoint(TRUNCATE)")
        let page = try other.number("SELECT rootpage FROM sqlite_schema WHERE name = '$store'")
        let size = try other.number("PRAGMA page_size")
        let file = try FileHandle(forWritingTo: cards.url("d"))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
        #expect(try !store.checkIntegrity().isSound)
    }

    @Test func `a page that can't be read is no damage`() {
        let unread = "Tree 5 page 5: unable to get the page. error code=266"
        #expect(IntegrityReport.failure(in: unread)?.reason == .fileAccess)
        let damaged = "Tree 5 page 5: unable to get the page. error code=11"
        #expect(IntegrityReport.failure(in: damaged) == nil)
        #expect(IntegrityReport.failure(in: "Rowid 5 out of order") == nil)
    }
}
