import Foundation
import Testing

@testable import LarderObjectStore

/// Objects of entities that share a table, written without JSON.
struct FamilySavingTests {
    private let zoo: StoreFixture
    private var store: Store { zoo.store }

    init() throws { zoo = try Zoo.fixture() }

    private func rows(_ columns: String) throws -> [String] {
        try zoo.rows("SELECT id, \"$entity\", \(columns) FROM Animal ORDER BY id")
    }

    // MARK: Saving

    @Test func `saves an object with its entity, what it inherits and what it links`() throws {
        let cage = Cage(number: 7, animals: .unchanged, star: nil, grade: nil)
        let report = try zoo.report { context in
            try context.save(
                Zoo.lion(1, cage: One(cage), foods: [Zoo.meat, Zoo.seeds], collar: One(id: 4)))
            try context.save(Zoo.bird(2))
            try context.save(Zoo.parrot(3, words: ["hello", "\"you\""]))
        }
        #expect(
            try rows("name, weight, cage, collar, mane, wingspan, words, mood") == [
                "1|Lion|L1|100.0|7|4|3|NULL|NULL|NULL",
                "2|Bird|B2|NULL|NULL|NULL|NULL|1.0|NULL|NULL",
                #"3|Parrot|P3|NULL|NULL|NULL|NULL|0.5|["hello","\"you\""]|calm"#,
            ])
        #expect(report["Lion"] == .init(1, linked: 2))
        #expect(report["Parrot"] == .init(1) && report["Bird"] == .init(1))
        #expect(report["Animal"] == .init())
        let lion = try #require(try store.find(Lion.self, id: 1))
        #expect(try lion.foods.fetch().map(\.name) == ["meat", "seeds"])
        #expect(try lion.cage?.fetch().number == 7)
        #expect(try store.find(Parrot.self, id: 3)?.words == ["hello", "\"you\""])
    }

    @Test func `what is saved is what an import writes`() throws {
        try store.insert(
            "Animal",
            #"""
            [{"id":1,"kind":"lion","name":"L1","weight":100,"foods":["meat"],"collar":4},
             {"id":3,"kind":"parrot","name":"P3","wingspan":0.5,"words":["a"]},
             {"id":4,"kind":"parrot","name":"P4","wingspan":0.5,"words":[],"mood":"cross"}]
            """#)
        let version = try zoo.dataVersion
        let report = try zoo.report { context in
            try context.save(Zoo.lion(1, foods: [Zoo.meat], collar: One(id: 4)))
            try context.save([Zoo.parrot(3, words: ["a"]), Zoo.parrot(4, mood: .cross)])
        }
        #expect(report["Lion"] == .init(0, 0, 1))
        #expect(report["Parrot"] == .init(0, 0, 2))
        #expect(try zoo.dataVersion == version)
    }

    // MARK: References

    @Test func `a linked object that is there is left as it is`() throws {
        try store.save(Zoo.parrot(2, words: ["a"]))
        try store.save(Zoo.lion(1, prey: One(try #require(try store.find(Animal.self, id: 2)))))
        #expect(try rows("words, prey") == ["1|Lion|NULL|2", #"2|Parrot|["a"]|NULL"#])
        #expect(
            zoo.writingError { try $0.save(Ticket(id: 1, parrot: One(Zoo.parrot(1)))) }?.reason
                == .otherEntity("Lion"))
    }

    // MARK: Rules and values

    @Test func `rules are checked before a saved object stays`() throws {
        try store.save(Zoo.lion(1))
        let light = zoo.writingError { try $0.save([Zoo.lion(2), Zoo.lion(1, weight: 20)]) }
        #expect(light == WritingError(entity: "Lion", reason: .rule("lions are heavy")))
        #expect("\(try #require(light))" == "Lion: breaks the rule: lions are heavy")
        #expect(try rows("weight") == ["1|Lion|100.0"])
        var animal = try #require(try store.find(Animal.self, id: 1))
        animal.weight = 10
        #expect(zoo.writingError { try $0.update(animal) }?.reason == .rule("lions are heavy"))
        try store.write { context in
            #expect(throws: WritingError.self) { try context.save(Zoo.lion(3, weight: 1)) }
            try context.save([Zoo.lion(3, weight: 1), Zoo.lion(3, weight: 70)])
        }
        #expect(try rows("weight") == ["1|Lion|100.0", "3|Lion|70.0"])
    }

    @Test func `rules see what the transaction has written`() throws {
        let cage = Cage(
            number: 7, animals: .unchanged, star: One(Zoo.lion(1, weight: 60)), grade: nil)
        #expect(zoo.writingError { try $0.save(cage) }?.reason == .rule("the star is heavy"))
        try store.save(Cage(number: 7, animals: .unchanged, star: nil, grade: nil))
        try store.save(Zoo.lion(1, weight: 60))
        #expect(
            zoo.writingError { try $0.edit(\.star, of: One<Cage>(id: 7)).set(One(id: 1)) }
                == WritingError(entity: "Cage", reason: .rule("the star is heavy")))
        #expect(try zoo.rows("SELECT star FROM Cage") == ["NULL"])
    }

    @Test func `values that an attribute does not take are refused`() throws {
        func cage(_ grade: Int) -> Cage {
            Cage(number: 1, animals: .unchanged, star: nil, grade: Grade(grade))
        }
        let refused = zoo.writingError { try $0.save(cage(7)) }
        #expect(refused?.attribute == "grade")
        #expect(refused?.reason == .unfit("expected a whole number from 1 to 6"))
        try store.save(cage(6))
        #expect(
            zoo.writingError { try $0.update(Cage.all) { $0.grade.set(Grade(0)) } }?.reason
                == .unfit("expected a whole number from 1 to 6"))
        #expect(try store.first(Cage.all)?.grade == Grade(6))
    }

    // MARK: Finding

    @Test func `an entity finds the objects of those below it, and of no sibling`() throws {
        try store.save(Zoo.lion(1))
        try store.save(Zoo.parrot(2))
        #expect(try store.find(Animal.self, id: 1)?.name == "L1")
        #expect(try store.find(Animal.self, id: 2)?.name == "P2")
        #expect(try store.find(Bird.self, id: 2)?.name == "P2")
        #expect(try store.find(Bird.self, id: 1) == nil)
        #expect(try store.find(Parrot.self, id: 1) == nil)
        let error = #expect(throws: StoreError.self) {
            try store.read {
                try $0.reader.find(Lion.self, id: [.integer(1), .integer(2)])
            }
        }
        #expect(error?.message.contains("identified by 1 values, not by 2") == true)
        let found = try store.read { snapshot in
            (try snapshot.find(Lion.self, id: 2), try snapshot.find(Lion.self, id: 1))
        }
        #expect(found.0 == nil && found.1?.mane == 3)
    }

    @Test func `a family without an integer to identify it is kept by text`() throws {
        let shapes = try StoreFixture(entities: Circle.self, Square.self)
        try shapes.store.save(Circle(name: "a", radius: 1))
        try shapes.store.save(Square(name: "b", side: 2))
        try shapes.store.save(Circle(name: "a", radius: 3))
        do {
            try shapes.store.save(Square(name: "a", side: 2))
            Issue.record("no error")
        } catch let error as WritingError {
            #expect(error.reason == .otherEntity("Circle"))
        }
        #expect(
            try shapes.rows("SELECT name, \"$entity\", radius, side FROM Shape ORDER BY name")
                == ["a|Circle|3.0|NULL", "b|Square|NULL|2.0"])
        #expect(
            try shapes.store.fetch(Shape.all.sorted { $0.name.ascending }).map(\.name) == [
                "a", "b",
            ])
        var shape = try #require(try shapes.store.find(Shape.self, id: "a"))
        shape.note = "n"
        try shapes.store.save(shape)
        try shapes.store.save(Shape(name: "c", note: nil))
        #expect(
            try shapes.rows("SELECT \"$entity\", note FROM Shape ORDER BY name")
                == ["Circle|n", "Square|NULL", "Shape|NULL"])
    }
}

/// A parent that has objects of its own.
@Entity struct Shape {
    @Identity var name: String
    var note: String?
}

@Entity(parent: Shape.self) struct Circle {
    @Inherited var name: String
    var radius: Double
}

@Entity(parent: Shape.self) struct Square {
    @Inherited var name: String
    var side: Double
}
