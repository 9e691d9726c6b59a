import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

/// What stands at a store's path before it is opened.
struct StoreFilePreparationTests {
    private let cards: CardFiles
    private var folder: TemporaryFolder { cards.folder }

    init() throws { cards = try CardFiles() }

    private func permit(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: name.isEmpty ? folder.path : folder.file(name))
    }

    @Test func `what is no plain file is told`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("d"), withIntermediateDirectories: false)
        #expect(cards.code("d") == .notAFile)
        #expect(mkfifo(folder.file("f"), 0o600) == 0)
        #expect(cards.code("f") == .notAFile)
        #expect(try folder.files == ["d", "f"])
        #expect(throws: StoreError.self) { try Store(at: "/dev/null", entities: Card.self) }
    }

    @Test func `a symbolic link is not followed`() throws {
        try cards.make("target")
        for (link, target) in [("a", "target"), ("b", "nothing")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(link), withDestinationPath: folder.file(target))
            #expect(cards.code(link) == .notAFile)
        }
        #expect(try folder.files == ["a", "b", "target"])
    }

    @Test func `lost permissions are told from what is only to be read`() throws {
        try cards.make()
        let before = try folder.bytes("a")
        for (file, directory, expected) in [
            (0o600, 0o777, StoreError.Reason.notPermitted), (0o444, 0o777, .readOnly),
            (0o666, 0o755, .readOnly), (0o666, 0o700, .notPermitted),
        ] {
            try permit(file, "a")
            try permit(directory, "")
            let found = try OtherUser.run { cards.code() }
            if let found { #expect(found == expected) }
        }
        try permit(0o755, "")
        if let found = try OtherUser.run({ cards.code("new") }) { #expect(found == .readOnly) }
        #expect(try folder.files == ["a"])
        #expect(try folder.bytes("a") == before)
    }
}
