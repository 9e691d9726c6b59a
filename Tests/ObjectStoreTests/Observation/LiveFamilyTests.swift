import LarderPromises
import Testing

@testable import LarderObjectStore

/// Live queries of entities that share a table.
struct LiveFamilyTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory(
            entities: Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Ticket.self)
        try store.save(Zoo.lion(1))
        try store.save(Zoo.parrot(2))
    }

    private func names<Object: Entity>(
        _ query: Query<Object>, _ name: @escaping @Sendable (Object) -> String
    ) -> LiveRecorder<[String]> {
        LiveRecorder(
            store.observe(query).map { $0.map { name($0) } }, of: store)
    }

    @Test func `an entity's objects come with those below it, and not with a sibling's`() throws {
        let (animals, lions) = (names(Animal.all, { $0.name }), names(Lion.all, { $0.name }))
        let (birds, parrots) = (names(Bird.all, { $0.name }), names(Parrot.all, { $0.name }))
        #expect(animals.take() == [["L1", "P2"]] && lions.take() == [["L1"]])
        #expect(birds.take() == [["P2"]] && parrots.take() == [["P2"]])
        try store.save(Zoo.bird(3))
        #expect(animals.take() == [["L1", "P2", "B3"]] && birds.take() == [["P2", "B3"]])
        #expect(lions.take() == [] && parrots.take() == [])
        try store.write { _ = try $0.update(Lion.all) { $0.name.set("X") } }
        #expect(animals.take() == [["X", "P2", "B3"]] && lions.take() == [["X"]])
        #expect(birds.take() == [] && parrots.take() == [])
        try store.write { _ = try $0.delete(Bird.all) }
        #expect(animals.take() == [["X"]] && lions.take() == [])
        #expect(birds.take() == [[]] && parrots.take() == [[]])
    }

    @Test func `a column that a type does not read brings nothing`() throws {
        let (animals, birds) = (names(Animal.all, { $0.name }), names(Bird.all, { $0.name }))
        _ = (animals.take(), birds.take())
        try store.write { _ = try $0.update(Parrot.all) { $0.mood.set(.cross) } }
        #expect(animals.take() == [] && birds.take() == [])
        try store.write { _ = try $0.update(Animal.where { $0.id == 2 }) { $0.weight.set(1) } }
        #expect(animals.take() == [["L1", "P2"]] && birds.take() == [])
    }

    @Test func `a reference that becomes an object is seen by those that it is one of`() throws {
        try store.save(Zoo.lion(1, prey: One(id: 5)))
        let (animals, birds) = (names(Animal.all, { $0.name }), names(Bird.all, { $0.name }))
        let lions = LiveRecorder(store.observe { try $0.count(Lion.all) }, of: store)
        #expect(animals.take() == [["L1", "P2"]])
        #expect(birds.take() == [["P2"]] && lions.take() == [1])
        try store.insert("Animal", #"{"id":5,"kind":"parrot","name":"N","wingspan":1,"words":[]}"#)
        #expect(animals.take() == [["L1", "P2", "N"]])
        #expect(birds.take() == [["P2", "N"]] && lions.take() == [])
    }

    @Test func `conditions on links to a family are seen`() throws {
        try store.save(Cage(number: 1, animals: .unchanged, star: nil, grade: nil))
        let full = LiveRecorder(
            store.observe { try $0.count(Cage.where { $0.animals.count > 1 }) }, of: store)
        #expect(full.take() == [0])
        try store.write { try $0.edit(\.animals, of: One<Cage>(id: 1)).add(Many(ids: [1, 2])) }
        #expect(full.take() == [1])
        try store.delete(Zoo.parrot(2))
        #expect(full.take() == [0])
    }

    @Test func `what is rolled back inside of a transaction is not seen`() throws {
        let animals = names(Animal.all, { $0.name })
        _ = animals.take()
        try store.write { context in
            try? context.savepoint {
                try context.delete(Animal.all)
                try context.save(Zoo.bird(9))
                throw CancellationError()
            }
        }
        #expect(animals.take() == [])
        try store.write { context in
            try? context.savepoint {
                try context.delete(Animal.all)
                throw CancellationError()
            }
            try context.save(Zoo.bird(9))
        }
        #expect(animals.take() == [["L1", "P2", "B9"]])
    }
}
