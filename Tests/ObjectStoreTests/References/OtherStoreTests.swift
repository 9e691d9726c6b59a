import Foundation
import Testing

@testable import LarderObjectStore

/// Links that were read from one store and are asked for in another, where their rows are others.
struct OtherStoreTests {
    private let ward: Ward
    private let other: Store

    init() throws {
        ward = try #require(try Hospital.referring().find(Ward.self, id: 1))
        other = try Hospital.store()
        try other.insert(
            "Ward",
            """
            {"id": 1, "name": "x", "head": {"login": "eve", "name": "Eve"},
             "deputy": {"login": "fay", "name": "Fay"}, "nurses": ["eve"]}
            """)
    }

    private func isRefused(_ body: () throws -> Void) -> Bool {
        #expect(throws: StoreError.self) { try body() }?.reason == .otherStore
    }

    @Test func `reading them is refused`() {
        #expect(isRefused { _ = try other.fetch([ward.head]) })
        #expect(isRefused { _ = try other.fetch([ward.deputy]) })
        #expect(isRefused { _ = try other.fetch([ward.nurses]) })
        #expect(isRefused { _ = try other.read { try $0.fetch([ward.head]) } })
    }

    @Test func `comparing with them is refused`() {
        #expect(isRefused { _ = try other.fetch(Ward.where { $0.head == ward.head }) })
        #expect(isRefused { _ = try other.fetch(Ward.where { $0.head != ward.head }) })
        #expect(isRefused { _ = try other.count(Ward.where { $0.head.isIn([ward.head]) }) })
        #expect(isRefused { _ = try other.count(Ward.where { $0.nurses.contains(ward.head) }) })
        #expect(isRefused { try other.delete(Ward.where { $0.deputy == ward.deputy }) })
    }

    @Test func `a list of an import is refused too`() throws {
        let list = try Hospital.store().import(
            Many<Badge>.self, from: Data("[1]".utf8))
        #expect(isRefused { _ = try other.fetch([list]) })
    }

    @Test func `an identity leads to the object of whichever store is asked`() throws {
        #expect(try other.count(Ward.where { $0.head == One(id: "eve") }) == 1)
        #expect(try other.count(Ward.where { $0.head.isIn([One(id: "eve")]) }) == 1)
    }
}
