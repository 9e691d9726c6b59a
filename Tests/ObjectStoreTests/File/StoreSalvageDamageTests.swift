import Foundation
import Testing

@testable import LarderObjectStore

/// Damage that SQLite does not see.
struct StoreSalvageDamageTests {
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
            from:
                #"[{"id": 1, "name": "ann"}, {"id": 2, "kind": "m", "name": "press", "power": 9}]"#)
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
                .numbered("A", .optional("meta", .json), .optional("isOn", .boolean))
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
}
