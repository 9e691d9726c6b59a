#if DEBUG
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
        expectHere(promise.read { _ in })
        expectHere(promise.write { _ in })
    }
}
#endif
