#if DEBUG
import Foundation
import Testing

@testable import LarderObjectStore
@testable import LarderPromises

/// What the promises of a store say of themselves.
struct StorePromiseTests {
    private func expectHere<Value>(_ promise: Promise<Value>, line: UInt = #line) {
        let site = promise.node.site.description
        #expect(site == "ObjectStoreTests/StorePromiseTests.swift:\(line)")
    }

    @Test func `each names the line of the call as the place where it was made`() throws {
        let promise = try Store.inMemory(entities: Tag.self).promise
        let json = Data("[]".utf8)
        expectHere(promise.read { _ in })
        expectHere(promise.write { _ in })
        expectHere(promise.fetch(Tag.all))
        expectHere(promise.first(Tag.all))
        expectHere(promise.count(Tag.all))
        expectHere(promise.json(Tag.all))
        expectHere(promise.insert([Tag].self, from: json))
        expectHere(promise.fetch(DynamicQuery("Tag")))
        expectHere(promise.first(DynamicQuery("Tag")))
        expectHere(promise.count(DynamicQuery("Tag")))
        expectHere(promise.json(DynamicQuery("Tag")))
        expectHere(promise.insert("Tag", from: json))
    }
}
#endif
