import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

struct StoreFolderTests {
    @Test func `a second one waits for the first`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a")
        let order = Guarded<[String]>([])
        let first = UncheckedBox<FolderLock?>(FolderLock(around: path))
        let begun = DispatchSemaphore(value: 0)
        try await onOwnThread {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                begun.signal()
                FolderLock.around(path) { order.withLock { $0.append("second") } }
                done.signal()
            }
            begun.wait()
            order.withLock { $0.append("first") }
            first.value = nil
            #expect(done.wait(timeout: .farAway) == .success)
        }
        #expect(order.withLock(\.self) == ["first", "second"])
    }

    @Test func `where there is no folder there is nothing to wait for`() {
        #expect(FolderLock.around("/nowhere/at/all") { 1 } == 1)
    }

    private static func fill(_ store: Store, _ range: Range<Int>) throws {
        let cards = range.map {
            #"{"suit": "s\#($0)", "value": "\#(String(repeating: "x", count: 200))"}"#
        }
        _ = try store.import(
            Many<Card>.self, from: Data("[\(cards.joined(separator: ", "))]".utf8))
    }

    @Test func `a temporary store goes with its last user`() throws {
        var temporary: Store? = try Store.temporary(entities: Card.self)
        let path = try #require(temporary?.path)
        try temporary.map { try Self.fill($0, 0..<3) }
        #expect(try temporary?.count(Card.all) == 3)
        #expect(try TemporaryFolder.mode(path) == 0o600)
        #expect(try TemporaryFolder.mode((path as NSString).deletingLastPathComponent) == 0o700)
        temporary = nil
        #expect(
            !FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }

    @Test func `temporary stores know nothing of each other`() throws {
        let stores = try (0..<2).map { _ in try Store.temporary(entities: Card.self) }
        try Self.fill(stores[0], 0..<3)
        #expect(try stores.map { try $0.count(Card.all) } == [3, 0])
    }
}
