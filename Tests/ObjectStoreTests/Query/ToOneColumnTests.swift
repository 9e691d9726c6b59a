import Foundation
import Testing

@testable import LarderObjectStore

/// To-one relationships compared with objects.
struct ToOneColumnTests {
    private let store: Store

    init() throws { store = try Comics.store(Comics.mentors) }

    private func ids(_ query: Query<Hero>) throws -> [Int] { try store.fetch(query).map(\.id) }

    @Test func `a relationship is compared with an object`() throws {
        let publisher = try #require(try store.fetch(Hero.where { $0.id == 1 })[0].publisher)
        #expect(try ids(Hero.where { $0.publisher == publisher }) == [1, 3])
        #expect(try ids(Hero.where { $0.publisher != publisher }) == [2, 4, 5])
        #expect(try ids(Hero.where { $0.publisher == nil }) == [4])
        #expect(try ids(Hero.where { $0.publisher != nil }) == [1, 2, 3, 5])
        #expect(try ids(Hero.where { $0.mentor.publisher == publisher }) == [2])
        #expect(try ids(Hero.where { $0.mentor.publisher == nil }) == [3, 4, 5])
    }

    @Test func `a relationship is compared with another one`() throws {
        try store.import(Hero.self, from: Data(#"{"id": 5, "mentor": 5, "name": "E"}"#.utf8))
        #expect(try ids(Hero.where { $0.mentor == $0.mentor.mentor }) == [4, 5])
        #expect(try ids(Hero.where { $0.mentor != $0.mentor.mentor }) == [1, 2, 3])
    }

    @Test func `a sequence of objects may be there once only`() throws {
        let publishers = try store.fetch(Hero.all).compactMap(\.publisher)
        let all = try ids(Hero.where { $0.publisher.isIn(publishers) })
        #expect(!all.isEmpty)
        #expect(
            try ids(Hero.where { $0.publisher.isIn(AnyIterator(publishers.makeIterator())) }) == all
        )
    }

    @Test func `a relationship leads to one of many objects, stored or made in code`() throws {
        let mentor = try #require(try store.fetch(Hero.where { $0.id == 1 })[0].mentor)
        #expect(
            try ids(Hero.where { $0.mentor.isIn([mentor, One(id: 4), One(id: 77)]) }) == [1, 3])
        #expect(try ids(Hero.where { $0.mentor.isIn([One(id: 3)]) }) == [2])
        #expect(try ids(Hero.where { $0.mentor.isIn([]) }) == [])
    }

    @Test func `an identity of another number or type of values is an error, as where it is found`()
        throws
    {
        for one in [One<Hero>(id: 3, 4), One(id: "3"), One(id: 3.0)] {
            for query in [
                Hero.where { $0.mentor == one }, Hero.where { $0.mentor != one },
                Hero.where { $0.mentor.isIn([one]) },
            ] {
                let error = #expect(throws: StoreError.self) { try store.fetch(query) }
                #expect(error?.reason == .unexpectedValue)
            }
        }
        #expect(try ids(Hero.where { $0.mentor == One(id: Int?.none) }) == [])
        #expect("\(Hero.where { $0.mentor == One(id: 3) })" == "Hero where (mentor IS ?)")
    }
}
