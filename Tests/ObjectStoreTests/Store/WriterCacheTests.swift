import Foundation
import Testing

@testable import LarderObjectStore

/// What the connection that writes keeps of the file in memory.
struct WriterCacheTests {
    @Test func `a large transaction has room, and gives it back at its end`() throws {
        let comics = try Comics.fixture()
        let text = String(repeating: "x", count: 1_000)
        let heroes = (0..<10_000).map { #"{"id": \#($0), "name": "\#(text)"}"# }
        let document = try JSONDocument("[\(heroes.joined(separator: ","))]")
        let during = try comics.store.write { context in
            try context.import(Many<Hero>.self, from: document.root)
            return context.connection.cacheSize
        }
        #expect(during > 10_000_000)
        let after = try comics.store.withWriter { $0.cacheSize }
        #expect(after < 1_000_000)
        #expect(try comics.store.count(Hero.all) == 10_000)
    }

    @Test func `a small transaction keeps what it has read`() throws {
        let comics = try Comics.fixture()
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        let before = try comics.store.withWriter { $0.cacheSize }
        try comics.store.write { _ = try $0.count(Hero.all) }
        #expect(try comics.store.withWriter { $0.cacheSize } >= before)
    }
}
