import Foundation
import Testing

@testable import LarderObjectStore

/// Rows in a damaged store that say they are of an entity which their family does not have.
struct StoreSalvageFamilyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store {
        try Store(at: folder.file("a"), entities: Worker.self, Machine.self, Chore.self)
    }

    /// Makes a store in which a machine is said to be something else.
    private func make() throws {
        let store = try open()
        try store.import(
            Many<Worker>.self,
            from: """
                [{"id": 1, "name": "ann"}, {"id": 2, "kind": "m", "name": "press", "power": 9},
                 {"id": 3, "kind": "m", "name": "drill", "keeper": 2}]
                """)
        try store.import(
            Many<Chore>.self,
            from: #"[{"id": 1, "machine": 2, "workers": [1, 2]}, {"id": 2, "machine": 3}]"#)
        #expect(try store.checkIntegrity().isSound)
        try store.close()
        try tamper("UPDATE Worker SET \"$entity\" = 'Macine' WHERE id = 2")
    }

    private func tamper(_ sql: String) throws { try folder.open("a").execute(sql) }

    @Test func `a full check counts them`() throws {
        try make()
        let store = try open()
        let report = try store.checkIntegrity()
        #expect(report.problems == [.unknownEntity(family: "Worker", count: 1)])
        #expect(report.description == "Worker has objects of no entity that could be there (1)")
        #expect(try store.checkIntegrity(.quick).isSound)
    }

    @Test func `what must know their entity says that it is damaged`() throws {
        try make()
        let store = try open()
        let attempts: [(Store) throws -> Void] = [
            { _ = try $0.json(Worker.all) },
            { _ = try $0.json(DynamicQuery("Chore")) },
            { _ = try $0.fetch(DynamicQuery("Worker")) },
            { try $0.import("Worker", from: #"{"id": 2, "kind": "m", "name": "again"}"#) },
            { try $0.update(Worker.all) { $0.name.set("x") } },
        ]
        for attempt in attempts {
            let error = #expect(throws: StoreError.self) { try attempt(store) }
            #expect(error?.reason == .damaged)
            #expect(
                error?.message
                    == "a row of Worker says that it is of the entity Macine, which the model does"
                    + " not have; Store.rebuild puts it right")
        }
    }

    @Test func `they can be fetched and deleted as what the family begins with`() throws {
        try make()
        let store = try open()
        #expect(try store.fetch(Worker.all).map(\.name) == ["ann", "press", "drill"])
        #expect(try store.fetch(Machine.all).map(\.name) == ["drill"])
        #expect(try store.delete(Worker.where { $0.id == 2 }) == 1)
        #expect(try store.fetch(Worker.all).map(\.name) == ["ann", "drill"])
        #expect(try store.fetch(Chore.all).map { $0.machine == nil } == [true, false])
        #expect(try store.checkIntegrity().isSound)
        try store.import("Worker", from: #"{"id": 2, "kind": "m", "name": "again"}"#)
        #expect(try store.fetch(Machine.all).map(\.name) == ["again", "drill"])
    }

    @Test func `a rebuild makes them objects of what the family begins with`() throws {
        try make()
        let (store, report) = try Store.rebuild(
            at: folder.file("a"), entities: Worker.self, Machine.self, Chore.self)
        #expect(report.saved == ["Worker": 2, "Machine": 1, "Chore": 2])
        #expect(report.incomplete == ["Worker", "Machine"])
        // From a chore and from the drill, which lead to machines.
        #expect(report.brokenLinks == 2)
        let workers = try store.fetch(DynamicQuery("Worker"))
        #expect(workers.map(\.entityName) == ["Worker", "Worker", "Machine"])
        #expect(try store.fetch(Chore.all).map { $0.machine == nil } == [true, false])
        #expect(try store.first(Chore.all)?.workers.fetch().map(\.id) == [1, 2])
        #expect(try store.checkIntegrity().isSound)
        let values = try folder.open("a").allRows("SELECT power FROM Worker WHERE id = 2")
        #expect(values == [[.null]])
    }

    @Test func `they go where what the family begins with has no objects`() throws {
        let types: [any Entity.Type] = [
            Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Ticket.self,
        ]
        let model = try Model(entities: types)
        let store = try Store(at: folder.file("a"), model: model)
        try store.save([Zoo.lion(1), Zoo.lion(2), Zoo.lion(3, prey: One(id: 9))])
        try store.save(Cage(number: 7, animals: .unchanged, star: One(id: 1), grade: nil))
        try store.close()
        // The first is none of any kind, the second a mere animal; a reference may be that.
        try tamper(
            """
            UPDATE Animal SET "$entity" = 'Lien' WHERE id = 1;
            UPDATE Animal SET "$entity" = 'Animal' WHERE id = 2
            """)
        let damaged = try Store(at: folder.file("a"), model: model)
        #expect(
            try damaged.checkIntegrity().problems == [.unknownEntity(family: "Animal", count: 2)])
        try damaged.close()
        let (rebuilt, report) = try Store.rebuild(at: folder.file("a"), model: model)
        #expect(report.saved["Lion"] == 1)
        #expect(report.incomplete == ["Animal", "Bird", "Lion", "Parrot"])
        #expect(report.brokenLinks == 1)
        #expect(try rebuilt.fetch(Animal.all).map(\.id) == [3])
        #expect(try rebuilt.fetch(Cage.all).allSatisfy { $0.star == nil })
        #expect(try rebuilt.checkIntegrity().isSound)
    }
}

@Entity(mapper: EntityMapper(key: "kind", values: ["w": "Worker", "m": "Machine"]))
struct Worker {
    @Identity var id: Int
    @Attribute(searchable: true) var name: String
}

@Entity(parent: Worker.self) struct Machine {
    @Inherited var id: Int
    @Inherited var name: String
    var power: Int?
    var keeper: One<Machine>?
}

@Entity struct Chore {
    @Identity var id: Int
    var machine: One<Machine>?
    var workers: Many<Worker>
}
