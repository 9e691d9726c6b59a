import Foundation
import Testing

@testable import LarderObjectStore

/// References in files: opened again, migrated, of an older layout, rebuilt.
struct ReferenceFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("a.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store {
        try Store(at: path, entities: Ward.self, Nurse.self, Badge.self, Room.self)
    }

    private func fill() throws {
        let store = try open()
        try store.insert(
            "Ward", #"{"id": 1, "name": "a", "head": "ann", "deputy": {"login": "c", "name": "C"}}"#
        )
        try store.close()
    }

    private func run(_ statements: [String]) throws {
        let connection = try folder.open("a.sqlite")
        for statement in statements { try connection.execute(statement) }
    }

    @Test func `they are references when the file is opened again`() throws {
        try fill()
        let store = try open()
        #expect(try store.select(Nurse.references) { $0.login } == ["ann"])
        #expect(try store.count(Nurse.all) == 1)
    }

    @Test func `an older layout, which had no column for them, is told by what they lack`() throws {
        try fill()
        let statements = ["Ward", "Nurse", "Badge", "Room"].map {
            "ALTER TABLE \($0) DROP COLUMN \"$reference\""
        }
        try run(statements + ["PRAGMA user_version = 1"])
        let store = try open()
        #expect(try store.select(Nurse.references) { $0.login } == ["ann"])
        #expect(try store.fetch(Nurse.all).map(\.login) == ["c"])
        #expect(try store.count(Ward.all) == 1)
    }

    @Test func `a row that lacks what is required is a reference after a rebuild`() throws {
        try fill()
        try run(["UPDATE Nurse SET name = NULL WHERE login = 'c'"])
        let store = try Store.rebuild(
            at: path, entities: Ward.self, Nurse.self, Badge.self, Room.self
        ).store
        #expect(try store.select(Nurse.references) { $0.login } == ["ann", "c"])
        #expect(try store.fetch(Nurse.all).isEmpty)
    }
}
