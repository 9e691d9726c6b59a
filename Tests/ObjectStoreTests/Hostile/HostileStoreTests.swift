import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

struct HostileStoreTests {
    struct GivenUp: Error {}

    // S1: a savepoint that can't be taken back
    private func refuseRollbacks(_ connection: Connection) {
        sqlite3_set_authorizer(
            connection.pointer,
            { _, action, operation, _, _, _ in
                if action == SQLITE_SAVEPOINT, let operation,
                    String(cString: operation) == "ROLLBACK"
                {
                    return SQLITE_DENY
                }
                return SQLITE_OK
            }, nil)
    }

    @Test func `what can't be taken back is not committed`() throws {
        let fixture = try Comics.fixture()
        _ = try? fixture.store.write { context -> Void in
            refuseRollbacks(context.connection)
            defer { sqlite3_set_authorizer(context.connection.pointer, nil, nil) }
            do {
                try context.savepoint {
                    try context.save(Publisher(id: 1, name: "a", founded: nil, heroes: .unchanged))
                    throw GivenUp()
                }
            } catch {}
            _ = try? context.save(Publisher(id: 2, name: "b", founded: nil, heroes: .unchanged))
        }
        let rows = try fixture.rows("SELECT id FROM Publisher ORDER BY 1")
        #expect(rows.isEmpty, "\(rows)")
        try fixture.store.save(Publisher(id: 3, name: "c", founded: nil, heroes: .unchanged))
        #expect(try fixture.rows("SELECT id FROM Publisher") == ["3"])
    }

    @Test func `shared imports with a search index`() throws {
        for seed in 0..<40 {
            var random = SplitMix64(seed: UInt64(seed))
            let (one, two) = try (Magazine.fixture(), Magazine.fixture())
            for _ in 0..<4 {
                let parts: [(String, Bool)] = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    let articles = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        let id = Int.random(in: 1...6, using: &random)
                        let word = ["crash", "cafe", "zeta"].randomElement(using: &random)!
                        return #"{"id": \#(id), "title": "\#(word) \#(Int.random(in: 0..<9, using: &random))", "text": "some \#(word)", "columnist": {"name": "\#(word)"}}"#
                    }
                    return ("[\(articles.joined(separator: ","))]", Bool.random(using: &random))
                }
                for (json, refused) in parts {
                    _ = try? two.store.import(
                        [Article].self, from: JSONDocument(json).root, willWait: { _ in },
                        options: DecodingOptions(), isCancelled: { false },
                        willCommit: { if refused { throw GivenUp() } })
                }
                try one.store.sharingTransaction(willWait: { _ in }) { shared in
                    for (json, refused) in parts {
                        _ = try? shared.import(
                            [Article].self, from: JSONDocument(json).root,
                            options: DecodingOptions(), isCancelled: { false },
                            willCommit: { if refused { throw GivenUp() } })
                    }
                }
                for word in ["crash", "cafe", "zeta", "some"] {
                    let found = try Magazine.found(Article.matching(word), in: one.store)
                    let other = try Magazine.found(Article.matching(word), in: two.store)
                    #expect(Set(found) == Set(other), "seed \(seed)")
                }
                #expect(try one.store.checkIntegrity().isSound)
            }
        }
    }

    // S3: identities
    @Test func `an optional part of an identity that has a default`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["box", "slot"],
                attributes: [
                    AttributeDescription("box", .integer, key: "box"),
                    AttributeDescription(
                        "slot", .string, isOptional: true, key: "slot", default: .string("top")),
                    .optional("name"),
                ]))
        for name in ["a", "b", "b"] {
            do {
                try fixture.insert("Part", #"{"box": 1, "name": "\#(name)"}"#)
            } catch { Issue.record(error) }
        }
        #expect(try fixture.rows("SELECT box, slot, name FROM Part") == ["1|NULL|b"])
    }

    @Test func `an optional identity that has a default`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["slot"],
                attributes: [
                    AttributeDescription(
                        "slot", .string, isOptional: true, key: "slot", default: .string("top")),
                    .optional("name"),
                ]))
        for name in ["a", "b", "b"] {
            do {
                try fixture.insert("Part", #"{"name": "\#(name)"}"#)
            } catch { Issue.record(error) }
        }
        #expect(try fixture.rows("SELECT slot, name FROM Part") == ["NULL|a", "NULL|b", "NULL|b"])
    }

    static let blank = Transformer(
        "blank", from: { (text: String) in text.isEmpty ? nil : text })

    @Test func `a part of an identity that a transformer makes empty`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["box", "slot"],
                attributes: [
                    AttributeDescription("box", .integer, key: "box"),
                    .optional("slot", .string, Self.blank), .optional("name"),
                ]))
        for json in [
            #"{"box": 1, "name": "a"}"#, #"{"box": 1, "slot": "", "name": "b"}"#,
            #"{"box": 1, "slot": "", "name": "c"}"#,
        ] { try fixture.insert("Part", json) }
        #expect(try fixture.rows("SELECT box, slot, name FROM Part") == ["1|NULL|c"])
    }

    @Test func `an identity that a transformer makes empty`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Part", identity: ["slot"],
                attributes: [.optional("slot", .string, Self.blank), .optional("name")]),
            EntityDescription(name: "Screw", parent: "Part"))
        for json in [
            #"{"slot": "", "name": "a"}"#, #"{"slot": "", "name": "b"}"#, #"{"name": "c"}"#,
        ] { try fixture.insert("Part", json) }
        #expect(
            try fixture.rows("SELECT slot, name FROM Part") == ["NULL|a", "NULL|b", "NULL|c"])
    }

    // S4: salvage
    private func makeBytes(of text: String, in folder: TemporaryFolder) throws {
        var bytes = try folder.bytes("a")
        var end = 0
        var count = 0
        while let place = bytes[end...].range(of: Data(text.utf8)) {
            end = place.upperBound
            let type = UInt8(13 + 2 * text.utf8.count)
            let header = bytes[..<place.lowerBound].suffix(40)
            if let index = header.lastIndex(of: type) {
                bytes[index] = type - 1
                count += 1
            }
        }
        #expect(count > 0)
        try bytes.write(to: URL(fileURLWithPath: folder.file("a")))
    }

    @Test func `rebuilt, no two rows have one identity`() throws {
        let folder = try TemporaryFolder()
        let model = try Model(
            name: "Test",
            entities: [
                EntityDescription(
                    name: "Part", identity: ["box", "slot"],
                    attributes: [
                        AttributeDescription("box", .integer, key: "box"),
                        .optional("slot"), .optional("name"),
                    ])
            ])
        let store = try Store(at: folder.file("a"), model: model)
        try store.import(
            "Part",
            from: #"[{"box": 1, "name": "a"}, {"box": 1, "slot": "my slot", "name": "b"}]"#)
        try store.close()
        try makeBytes(of: "my slot", in: folder)
        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.incomplete == ["Part"])
        let parts = try rebuilt.fetch(DynamicQuery("Part"))
        #expect(parts.count == 1, "\(parts.map { ($0["box"], $0["slot"], $0["name"]) })")
    }

    @Test func `rebuilt, a row of no entity is of what its family begins with`() throws {
        let folder = try TemporaryFolder()
        func open() throws -> Store {
            try Store(at: folder.file("a"), entities: Worker.self, Machine.self, Chore.self)
        }
        let store = try open()
        try store.import(
            Many<Worker>.self,
            from: #"[{"id": 1, "name": "ann"}, {"id": 2, "kind": "m", "name": "press", "power": 9}]"#)
        try store.close()
        try folder.open("a").execute("UPDATE Worker SET \"$entity\" = 'Macine' WHERE id = 2")
        try makeBytes(of: "Macine", in: folder)
        let (rebuilt, report) = try Store.rebuild(
            at: folder.file("a"), entities: Worker.self, Machine.self, Chore.self)
        #expect(report.saved == ["Worker": 2, "Machine": 0, "Chore": 0])
        #expect(report.incomplete == ["Worker", "Machine"])
        #expect(try rebuilt.fetch(Worker.all).map(\.name) == ["ann", "press"])
        #expect(try rebuilt.checkIntegrity().isSound)
    }

    @Test func `rebuilt, what links itself is linked both ways`() throws {
        let folder = try TemporaryFolder()
        func open() throws -> Store {
            try Store(
                at: folder.file("a"), entities: Shelf.self, Author.self, Book.self, Tag.self,
                Loan.self, Remark.self)
        }
        let store = try open()
        try store.save(Library.ann)
        try store.save(Library.book(1))
        try store.save(Library.book(2, similar: Many(ids: [1])))
        #expect(try store.first(Book.where { $0.id == 1 })?.similar.count == 1)
        try store.close()
        try folder.open("a").execute(
            "DELETE FROM \"Book.similar\" WHERE source = 1 AND target = 2")
        let (rebuilt, _) = try Store.rebuild(
            at: folder.file("a"), entities: Shelf.self, Author.self, Book.self, Tag.self,
            Loan.self, Remark.self)
        #expect(try rebuilt.first(Book.where { $0.id == 2 })?.similar.count == 1)
        #expect(try rebuilt.first(Book.where { $0.id == 1 })?.similar.count == 1)
    }

    @Test func `values that damage alone can have made are found and emptied`() throws {
        let folder = try TemporaryFolder()
        let model = try Model(
            name: "Test",
            entities: [
                .numbered("A", .optional("meta", .json), .optional("isOn", .boolean)),
            ])
        let store = try Store(at: folder.file("a"), model: model)
        try store.import("A", from: #"[{"id": 1, "meta": {"a": 1}, "isOn": true}]"#)
        try store.close()
        try folder.open("a").execute("UPDATE A SET meta = '{\"a\" 1}', isOn = 7")
        let damaged = try Store(at: folder.file("a"), model: model)
        let problems = try damaged.checkIntegrity().problems
        #expect(problems.count == 2, "\(problems)")
        try damaged.close()
        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.incomplete == ["A"])
        let object = try #require(try rebuilt.fetch(DynamicQuery("A")).first)
        #expect(object["meta"] == .null)
        #expect(object["isOn"] == .null)
    }

    @Test func `after an import that has found no room the log is in the file`() throws {
        var configuration = Store.Configuration()
        configuration.maximumSize = 200_000
        let fixture = try StoreFixture(Model(entities: Comics.types), configuration: configuration)
        let long = String(repeating: "x", count: 10_000)
        func json(_ n: Int) -> String {
            "[" + (1...n).map { #"{"id": \#($0), "name": "\#(long)"}"# }.joined(separator: ",") + "]"
        }
        for isShared in [false, true] {
            for n in [2, 60] {
                let root = try JSONDocument(json(n)).root
                do {
                    if isShared {
                        try fixture.store.sharingTransaction(willWait: { _ in }) { shared in
                            _ = try? shared.import(
                                Many<Publisher>.self, from: JSONDocument(json(2)).root, options: .init(),
                                isCancelled: { false }, willCommit: {})
                            do {
                                _ = try shared.import(
                                    Many<Publisher>.self, from: root, options: .init(),
                                    isCancelled: { false }, willCommit: {})
                            } catch { print("SHARED", error) }
                        }
                    } else {
                        _ = try fixture.store.import(
                            Many<Publisher>.self, from: root, willWait: { _ in }, options: .init(),
                            isCancelled: { false }, willCommit: {})
                    }
                } catch { print("ERROR", isShared, n, error) }
            }
            print("LOG", isShared, try fixture.logSize)
            #expect(try fixture.logSize == 0)
            try fixture.store.delete(Publisher.all)
        }
    }
}
