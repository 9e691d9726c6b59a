import Foundation
import Testing

@testable import LarderObjectStore

/// `One` and `Many` that are made in code: which object they are, and what can be read from them.
struct OneTests {
    private let ann = Hero(
        id: 1, name: "Ann", realName: nil, strength: nil, isActive: true, publisher: nil,
        mentor: nil, powers: [])

    private func unreadable(_ body: () throws -> Void) -> Bool {
        #expect(throws: StoreError.self) { try body() }?.reason == .missingObject
    }

    @Test func `what identifies an object tells it apart`() {
        #expect(One<Hero>(id: 1) == One<Hero>(id: 1))
        #expect(One<Hero>(id: 1) == One(ann))
        #expect(One<Hero>(id: 1) != One<Hero>(id: 2))
        #expect(One<Card>(id: "h", "2") != One<Card>(id: "2", "h"))
        #expect(Set([One<Hero>(id: 1), One(ann), One(id: 2), One(id: 1)]).count == 2)
    }

    @Test func `objects without an identity are the same only where they are one`() {
        let note = One(Jotting(text: "a"))
        #expect(note == note)
        #expect(note != One(Jotting(text: "a")))
        #expect(Set([note, note, One(Jotting(text: "a"))]).count == 2)
        #expect("\(note)" == "One<Jotting>(new)")
    }

    @Test func `lists are the same by what identifies their objects`() {
        var bob = ann
        bob.id = 2
        let both = Many([ann, bob])
        #expect(both == Many([ann, bob]) && both == Many(ids: [1, 2]))
        #expect(both.hashValue == Many<Hero>(ids: [1, 2]).hashValue)
        #expect(both != Many(ids: [2, 1]) && both != Many(ids: [1]) && both != .unchanged)
        #expect(Many<Hero>() == [] && Many<Hero>.unchanged == .unchanged)
    }

    @Test func `lists of objects without an identity are the same as their copies only`() {
        let notes: Many<Jotting> = [Jotting(text: "a"), Jotting(text: "b")]
        let copy = notes
        #expect(notes == copy && notes.hashValue == copy.hashValue)
        #expect(notes != [Jotting(text: "a"), Jotting(text: "b")])
    }

    @Test func `one of a store is none that is made in code, nor one of another store`() throws {
        let (store, other) = (try Comics.store(), try Comics.store())
        let own = try store.write { try $0.save(ann) }
        let same = try store.write { try $0.save(ann) }
        let foreign = try other.write { try $0.save(ann) }
        #expect(own == same)
        #expect(own != foreign)
        #expect(own != One(id: 1))
        #expect(One(id: 1) != own)
        #expect(Set([own, same, foreign]).count == 2)
    }

    @Test func `what was named in code can't be read before it is saved`() throws {
        #expect(unreadable { _ = try One<Hero>(id: 1).fetch() })
        #expect(unreadable { _ = try Many<Hero>(ids: [1, 2]).fetch() })
        #expect(unreadable { _ = try Many<Hero>.unchanged.fetch() })
        #expect(unreadable { _ = try Many<Hero>.unchanged.count })
        #expect(try Many<Hero>(ids: [1, 2]).count == 2)
    }

    @Test func `what was made in code is itself`() throws {
        #expect(try One(ann).fetch().name == "Ann")
        #expect(try Many([ann, ann]).fetch().map(\.id) == [1, 1])
        #expect(try Many([ann]).count == 1)
        #expect(try Many<Hero>().count == 0)
    }

    @Test func `both say which objects they are`() {
        #expect("\(One<Hero>(id: 1))" == "One<Hero>(id: 1)")
        #expect("\(One<Card>(id: "h", "2"))" == "One<Card>(id: h, 2)")
        #expect(
            "\(One<Card>(id: 1.5, Data([1, 2]), nil as Int?))" == "One<Card>(id: 1.5, 2 bytes, nil)"
        )
        #expect("\(Many<Hero>(ids: [1, 2]))" == "Many<Hero>(2 objects)")
        #expect("\(Many<Hero>.unchanged)" == "Many<Hero>(unchanged)")
        #expect("\(Many<Hero>())" == "[]")
    }
}

@Entity private struct Jotting {
    var text: String
}
