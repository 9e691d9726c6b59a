import Foundation
import Testing

@testable import LarderObjectStore

/// Which entity of a family the object of a row is of.
struct RowWriterFamilyTests {
    private let zoo: StoreFixture
    private var store: Store { zoo.store }

    init() throws { zoo = try Zoo.fixture() }

    private func rows(_ columns: String) throws -> [String] {
        try zoo.rows("SELECT id, \"$entity\", \(columns) FROM Animal ORDER BY id")
    }

    @Test func `an object that was read as its parent stays what it is`() throws {
        try store.save(Zoo.parrot(1, words: ["a"], mood: .cross))
        var animal = try #require(try store.find(Animal.self, id: 1))
        animal.name = "New"
        animal.weight = 2
        let report = try zoo.report { context in
            try context.update(animal)
            try context.save(animal)
        }
        #expect(report["Parrot"] == .init(0, 1, 1))
        #expect(try rows("name, weight, words, mood") == [#"1|Parrot|New|2.0|["a"]|cross"#])
        try store.save(Zoo.bird(1))
        #expect(try rows("name, wingspan, mood") == ["1|Parrot|B1|1.0|cross"])
    }

    @Test func `an identity belongs to one object of the family`() throws {
        try store.save(Zoo.lion(1))
        try store.save(Zoo.bird(2))
        let taken = WritingError(entity: "Bird", reason: .otherEntity("Lion"))
        #expect(zoo.writingError { try $0.save(Zoo.bird(1)) } == taken)
        #expect(zoo.writingError { try $0.insert(Zoo.bird(1)) } == taken)
        #expect("\(taken)" == "Bird: an object of Lion has this identity")
        #expect(zoo.writingError { try $0.save(Zoo.parrot(1)) }?.reason == .otherEntity("Lion"))
        #expect(zoo.writingError { try $0.save(Zoo.parrot(2)) }?.reason == .otherEntity("Bird"))
        #expect(zoo.writingError { try $0.insert(Zoo.lion(1)) }?.reason == .taken)
        #expect(throws: StoreError.self) { try store.write { try $0.update(Zoo.bird(1)) } }
        #expect(try rows("name") == ["1|Lion|L1", "2|Bird|B2"])
    }

    @Test func `there is no object of an abstract entity`() throws {
        try store.save(Zoo.lion(1))
        var animal = try #require(try store.first(Animal.all))
        animal.id = 2
        let abstract = zoo.writingError { try $0.save(animal) }
        #expect(abstract == WritingError(entity: "Animal", reason: .abstract))
        #expect(
            "\(try #require(abstract))"
                == "Animal: the entity is abstract; write an object of one of its sub-entities")
        #expect(zoo.writingError { try $0.insert(animal) }?.reason == .abstract)
        try store.save(Zoo.lion(1, prey: One(id: 2)))
        #expect(zoo.writingError { try $0.save(animal) }?.reason == .abstract)
        #expect(try rows("name") == ["1|Lion|L1", "2|Animal|NULL"])
    }

    @Test func `a reference becomes an object of whatever entity is saved first`() throws {
        try store.save(Zoo.lion(1, prey: One(id: 2)))
        #expect(try rows("mood") == ["1|Lion|NULL", "2|Animal|NULL"])
        #expect(try store.count(Animal.all) == 1)
        #expect(try store.find(Animal.self, id: 2) == nil)
        let report = try zoo.report { try $0.insert(Zoo.parrot(2)) }
        #expect(report["Parrot"] == .init(0, 1))
        #expect(try rows("mood") == ["1|Lion|NULL", "2|Parrot|calm"])
        #expect(try store.find(Lion.self, id: 1)?.prey?.fetch().name == "P2")
    }

    @Test func `a reference to a sub-entity settles what is open, and no sibling`() throws {
        try store.save(Zoo.lion(1, prey: One(id: 2)))
        let cage = Cage(number: 7, animals: .unchanged, star: One(id: 2), grade: nil)
        #expect(throws: (any Error).self) { try store.save(cage) }
        try store.save(Ticket(id: 1, parrot: One(id: 2)))
        #expect(try rows("mood") == ["1|Lion|NULL", "2|Parrot|NULL"])
        #expect(
            zoo.writingError { try $0.save(cage) }
                == WritingError(entity: "Lion", reason: .otherEntity("Parrot")))
        #expect(
            zoo.writingError { try $0.save(Ticket(id: 2, parrot: One(id: 1))) }?.reason
                == .otherEntity("Lion"))
        #expect(zoo.writingError { try $0.save(Zoo.lion(2)) }?.reason == .otherEntity("Parrot"))
        let animal = try #require(try store.find(Animal.self, id: 1))
        #expect(
            zoo.writingError { context in
                var parent = animal
                parent.id = 2
                try context.save(parent)
            } == WritingError(entity: "Parrot", attribute: "wingspan", reason: .missing))
    }
}
