import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

/// What stands at a store's path before it is opened.
struct StoreFilePreparationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String = "a", count: Int = 300) throws {
        let store = try Store(at: folder.file(name), entities: Card.self)
        let cards = (0..<count).map {
            #"{"suit": "s\#($0)", "value": "\#(String(repeating: "x", count: 200))"}"#
        }
        _ = try store.import(
            Many<Card>.self, from: Data("[\(cards.joined(separator: ", "))]".utf8))
        try store.vacuum()
        try store.close()
    }

    private func code(_ name: String = "a") -> StoreError.Reason? {
        do {
            let store = try Store(at: folder.file(name), entities: Card.self)
            _ = try store.fetch(Card.all)
            return nil
        } catch {
            return (error as? StoreError)?.reason
        }
    }

    private func permit(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: name.isEmpty ? folder.path : folder.file(name))
    }

    @Test func `what is no plain file is told`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("d"), withIntermediateDirectories: false)
        #expect(code("d") == .notAFile)
        #expect(mkfifo(folder.file("f"), 0o600) == 0)
        #expect(code("f") == .notAFile)
        #expect(try folder.files == ["d", "f"])
        #expect(throws: StoreError.self) { try Store(at: "/dev/null", entities: Card.self) }
    }

    @Test func `a symbolic link is not followed`() throws {
        try make("target")
        for (link, target) in [("a", "target"), ("b", "nothing")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(link), withDestinationPath: folder.file(target))
            #expect(code(link) == .notAFile)
        }
        #expect(try folder.files == ["a", "b", "target"])
    }

    @Test func `lost permissions are told from what is only to be read`() throws {
        try make()
        let before = try folder.bytes("a")
        for (file, directory, expected) in [
            (0o600, 0o777, StoreError.Reason.notPermitted), (0o444, 0o777, .readOnly),
            (0o666, 0o755, .readOnly), (0o666, 0o700, .notPermitted),
        ] {
            try permit(file, "a")
            try permit(directory, "")
            let found = try OtherUser.run { code() }
            if let found { #expect(found == expected) }
        }
        try permit(0o755, "")
        if let found = try OtherUser.run({ code("new") }) { #expect(found == .readOnly) }
        #expect(try folder.files == ["a"])
        #expect(try folder.bytes("a") == before)
    }
}
