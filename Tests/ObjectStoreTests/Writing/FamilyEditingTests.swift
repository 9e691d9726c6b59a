import Foundation
import Testing

@testable import LarderObjectStore

/// Updating, deleting and linking objects of entities that share a table.
struct FamilyEditingTests {
    private let zoo: StoreFixture
    private var store: Store { zoo.store }

    init() throws { zoo = try Zoo.fixture() }

    private var animals: [String] {
        get throws { try zoo.rows("SELECT id, \"$entity\" FROM Animal ORDER BY id") }
    }

    // MARK: Updating

    @Test func `an update reaches the entity's objects and those below it`() throws {
        try store.save([Zoo.lion(1), Zoo.lion(2)])
        try store.save(Zoo.bird(3))
        try store.save(Zoo.parrot(4))
        let first = try zoo.report { context in
            let count = try context.update(Animal.all) { $0.name.set("X") }
            #expect(count == 4)
        }
        #expect(first["Lion"] == .init(0, 2) && first["Bird"] == .init(0, 1))
        #expect(first["Parrot"] == .init(0, 1) && first["Animal"] == .init())
        let second = try zoo.report { context in
            let count = try context.update(Bird.where { $0.name == "X" }) {
                $0.wingspan.increment(by: 1)
            }
            #expect(count == 2)
        }
        #expect(second["Bird"] == .init(0, 1) && second["Parrot"] == .init(0, 1))
        #expect(
            try zoo.rows("SELECT id, wingspan FROM Animal ORDER BY id")
                == ["1|NULL", "2|NULL", "3|2.0", "4|1.5"])
        #expect(try zoo.report { try $0.update(Parrot.all) { $0.name.set("X") } } == ImportReport())
    }

    @Test func `an update keeps rules and identities`() throws {
        try store.save([Zoo.lion(1), Zoo.lion(2)])
        try store.save(Zoo.bird(3))
        #expect(
            zoo.writingError { try $0.update(Animal.all) { $0.weight.set(5) } }
                == WritingError(entity: "Lion", reason: .rule("lions are heavy")))
        #expect(try store.write { try $0.update(Bird.all) { $0.wingspan.set(5) } } == 1)
        #expect(
            zoo.writingError { try $0.update(Lion.all) { $0.id.increment() } }?.reason == .fixed)
        #expect(zoo.writingError { try $0.update(Animal.all) { $0.id.set(3) } }?.reason == .fixed)
        try store.write { _ = try $0.update(Lion.where { $0.id == 1 }) { $0.prey.set(One(id: 3)) } }
        #expect(try store.find(Lion.self, id: 1)?.prey?.fetch().name == "B3")
    }

    @Test func `a sum that is no number is refused`() throws {
        try store.save(Zoo.lion(1, weight: .infinity))
        #expect(
            zoo.writingError { try $0.update(Animal.all) { $0.weight.increment(by: -.infinity) } }?
                .reason
                == .unfit("the sum is no number that the attribute can have"))
        #expect(try store.first(Animal.all)?.weight == .infinity)
    }

    // MARK: Deleting

    @Test func `a query deletes objects of the entity and of those below it`() throws {
        try store.save([Zoo.lion(1), Zoo.lion(2)])
        try store.save([Zoo.bird(3), Zoo.bird(4)])
        try store.save(Zoo.parrot(5))
        let report = try zoo.report { context in
            let count = try context.delete(Bird.where { $0.id > 3 })
            #expect(count == 2)
        }
        #expect(report["Bird"].deleted == 1 && report["Parrot"].deleted == 1)
        #expect(try animals == ["1|Lion", "2|Lion", "3|Bird"])
        #expect(try store.delete(Parrot.all) == 0)
        #expect(try store.delete(Lion.where { $0.name == "L1" }) == 1)
        #expect(try store.delete(Animal.all) == 2)
    }

    @Test func `an object goes by its identity, a sibling's does not`() throws {
        try store.save(Zoo.lion(1))
        try store.save(Zoo.parrot(2))
        #expect(try store.delete(Zoo.bird(1)) == 0)
        #expect(try store.delete(Zoo.bird(2)) == 1)
        #expect(try store.delete(try #require(try store.first(Animal.all))) == 1)
        #expect(try animals == [])
    }

    @Test func `each entity's own rules say what goes along`() throws {
        try store.save(Zoo.bird(1))
        try store.save(Zoo.bird(2))
        try store.save(Zoo.lion(3, collar: One(id: 1), prey: One(id: 1)))
        try store.save(Zoo.bird(4, prey: One(id: 2)))
        let report = try zoo.report { context in
            let count = try context.delete(Animal.where { $0.id > 2 })
            #expect(count == 4)
        }
        // The lion's prey goes with it, and its collar, by a rule of the parent; the bird's stays.
        #expect(report["Lion"].deleted == 1 && report["Bird"].deleted == 2)
        #expect(report["Collar"].deleted == 1)
        #expect(try animals == ["2|Bird"])
        #expect(try zoo.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `what leads to an object of the family is emptied, or holds it`() throws {
        try store.save(Zoo.parrot(1))
        try store.save(Zoo.lion(2, foods: [Zoo.meat], prey: One(id: 1)))
        try store.save(Zoo.bird(3, prey: One(id: 1)))
        try store.save(Ticket(id: 1, parrot: One(id: 1)))
        #expect(
            zoo.writingError { try $0.delete(Animal.where { $0.id == 1 }) }
                == WritingError(
                    entity: "Ticket", attribute: "parrot", reason: .leftWithout(count: 1)))
        try store.delete(Ticket.all)
        let report = try zoo.report { context in
            try context.delete(Zoo.parrot(1))
            try context.delete(Zoo.meat)
        }
        #expect(report["Lion"] == .init(0, 1, unlinked: 1) && report["Bird"] == .init(0, 1))
        #expect(
            try zoo.rows("SELECT id, prey FROM Animal ORDER BY id") == ["2|NULL", "3|NULL"])
    }

    @Test func `a cage that has animals denies its deletion`() throws {
        try store.save(Cage(number: 1, animals: .unchanged, star: nil, grade: nil))
        try store.save(Zoo.lion(1, cage: One(id: 1)))
        #expect(
            zoo.writingError { try $0.delete(Cage.all) }
                == WritingError(entity: "Cage", attribute: "animals", reason: .denied(count: 1)))
        try store.delete(Animal.all)
        #expect(try store.delete(Cage.all) == 1)
    }

    @Test func `deleting makes the indexes that a new store would have names for`() throws {
        try store.save(Zoo.lion(1))
        try store.delete(Animal.all)
        let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name"
        let names = try zoo.rows(indexes)
        #expect(Set(names).count == names.count)
        #expect(names.contains("Animal.cage") && !names.contains("Lion.cage"))
        try store.save(Zoo.lion(1))
        try store.delete(Lion.all)
        #expect(try zoo.rows(indexes) == names)
    }

    @Test func `an object that is emptied by a deletion must keep its rules`() throws {
        let fixture = try StoreFixture(
            entities: Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Keeper.self)
        try fixture.store.save([Zoo.lion(1), Zoo.lion(2)])
        try fixture.store.save(Keeper(id: 1, lion: One(id: 1)))
        let broken = WritingError(entity: "Keeper", reason: .rule("keeps a lion"))
        #expect(throws: broken) { try fixture.store.delete(Zoo.lion(1)) }
        #expect(throws: broken) { try fixture.store.delete(Animal.all) }
        #expect(throws: broken) {
            try fixture.store.write { _ = try $0.delete(DynamicQuery("Lion")) }
        }
        #expect(try fixture.rows("SELECT lion FROM Keeper") == ["1"])
        #expect(try fixture.store.delete(Lion.where { $0.id == 2 }) == 1)
    }

    // MARK: Links

    @Test func `links are edited from either side`() throws {
        try store.save(Cage(number: 1, animals: .unchanged, star: nil, grade: nil))
        try store.save(Cage(number: 2, animals: .unchanged, star: nil, grade: nil))
        try store.save(Zoo.lion(1))
        try store.save(Zoo.parrot(2))
        let parent = try #require(try store.find(Animal.self, id: 2))
        let report = try zoo.report { context in
            let editor = try context.edit(\.animals, of: One<Cage>(id: 1))
            try editor.add(One(id: 1))
            try editor.add(parent)
            try context.edit(\.cage, of: Zoo.lion(1)).set(One(id: 2))
            try context.edit(\.cage, of: parent).clear()
        }
        #expect(report["Lion"] == .init(0, 2) && report["Parrot"] == .init(0, 2))
        #expect(report["Cage"] == .init(0, linked: 2))
        #expect(
            try zoo.rows("SELECT id, cage FROM Animal ORDER BY id") == ["1|2", "2|NULL"])
        try store.write { try $0.edit(\.animals, of: One<Cage>(id: 1)).set(Many(ids: [1, 2])) }
        #expect(try store.find(Cage.self, id: 1)?.animals.fetch().map(\.id) == [1, 2])
        #expect(try store.find(Cage.self, id: 2)?.animals.count == 0)
    }

    @Test func `an open reference is unlinked like an object`() throws {
        try store.save(Cage(number: 1, animals: Many(ids: [8, 9]), star: nil, grade: nil))
        #expect(try animals == ["8|Animal", "9|Animal"])
        try store.write { try $0.edit(\.animals, of: One<Cage>(id: 1)).set(Many(ids: [9])) }
        #expect(try zoo.rows("SELECT id, cage FROM Animal ORDER BY id") == ["8|NULL", "9|1"])
        try store.insert("Cage", #"{"number":1,"animals":[8]}"#)
        #expect(try zoo.rows("SELECT id, cage FROM Animal ORDER BY id") == ["8|1", "9|NULL"])
    }

    @Test func `inherited links are those of the parent`() throws {
        try store.save(Zoo.lion(1, foods: [Zoo.meat]))
        let animal = try #require(try store.first(Animal.all))
        try store.write { context in
            try context.edit(\.foods, of: animal).add(Zoo.seeds)
            try context.edit(\.foods, of: Zoo.lion(1)).move(Zoo.seeds, to: 0)
            try context.edit(\.friends, of: animal).add(
                One(try context.save(Zoo.parrot(2)).fetch().asAnimal(context)))
        }
        #expect(try store.find(Lion.self, id: 1)?.foods.fetch().map(\.name) == ["seeds", "meat"])
        let friend = try #require(try store.find(Animal.self, id: 2))
        #expect(try friend.friends.fetch().map(\.id) == [1])
        try store.save(Zoo.lion(1, foods: []))
        #expect(try animal.foods.count == 0)
    }

    @Test func `what is imported and saved in one transaction is one object`() throws {
        try store.write { context in
            let document = try JSONDocument(
                #"[{"id":1,"kind":"lion","name":"A","foods":["meat"]}]"#)
            _ = try context.mapElements(of: document.root, as: "Animal")
            try context.save(Zoo.lion(1, foods: [Zoo.seeds]))
            _ = try context.mapElements(of: document.root, as: "Animal")
            #expect(throws: CancellationError.self) {
                try context.savepoint {
                    try context.delete(Lion.all)
                    _ = try context.mapElements(of: document.root, as: "Animal")
                    throw CancellationError()
                }
            }
            _ = try context.mapElements(of: document.root, as: "Animal")
            try context.delete(Animal.all)
            _ = try context.mapElements(of: document.root, as: "Animal")
        }
        #expect(try animals == ["1|Lion"])
        #expect(try store.first(Animal.all)?.name == "A")
        #expect(try store.first(Animal.all)?.foods.fetch().map(\.name) == ["meat"])
        #expect(try zoo.rows("PRAGMA foreign_key_check").isEmpty)
    }
}

extension Parrot {
    fileprivate func asAnimal(_ context: Context) throws -> Animal {
        try #require(try context.find(Animal.self, id: id))
    }
}

/// What has a rule about an object that may go.
@Entity struct Keeper {
    @Identity var id: Int
    var lion: One<Lion>?

    static var rules: [Rule<Keeper>] { [Rule("keeps a lion") { $0.lion != nil }] }
}
