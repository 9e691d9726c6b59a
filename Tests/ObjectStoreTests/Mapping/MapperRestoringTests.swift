import Testing

@testable import LarderObjectStore

@Entity private struct Venture {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "plan", ordered: false) var jobs: Many<VentureTask>
    var tags: Many<Pennant>
}

@Entity private struct VentureTask {
    @Identity var id: Int
    @Relationship(inverse: "jobs") var plan: One<Venture>?
}

@Entity private struct Pennant {
    @Identity var id: Int
}

/// Documents that have been stored before: they bring back what is missing, and change nothing that is there.
struct MapperRestoringTests {
    private let store: Store

    init() throws { store = try .inMemory(entities: Venture.self, VentureTask.self, Pennant.self) }

    private func bringBack<Value: Importable>(_ type: Value.Type, _ text: String) throws {
        try store.write { context in
            _ = try context.receive(type, from: JSONDocument(text).root, as: nil, isKnown: true)
        }
    }

    private static let plans =
        #"[{"id": 1, "name": "a", "jobs": [{"id": 1}, {"id": 2}], "tags": [{"id": 1}, {"id": 2}]}]"#

    @Test func `what is gone comes back with what it leads to`() throws {
        try store.import([Venture].self, from: Self.plans)
        try store.deleteAll(except: [])
        try bringBack([Venture].self, Self.plans)
        let plan = try #require(try store.find(Venture.self, id: 1))
        #expect(plan.name == "a")
        #expect(try plan.jobs.fetch().map(\.id).sorted() == [1, 2])
        #expect(try plan.tags.fetch().map(\.id) == [1, 2])
    }

    @Test func `what is brought back leaves newer links`() throws {
        try store.import([Venture].self, from: Self.plans)
        try store.delete(One<Venture>(id: 1))
        try store.import([VentureTask].self, from: #"[{"id": 3, "plan": 1}, {"id": 2, "plan": 4}]"#)
        try bringBack([Venture].self, Self.plans)
        #expect(try store.find(VentureTask.self, id: 3)?.plan?.id == 1)
        #expect(try store.find(VentureTask.self, id: 2)?.plan?.id == 4)
        #expect(try store.find(VentureTask.self, id: 1)?.plan?.id == 1)
    }

    @Test func `what stands leaves a reference to what stood in it`() throws {
        let kept = #"[{"id": 1, "plan": {"id": 7, "name": "x"}}, {"id": 2, "plan": {"id": 7}}]"#
        try store.import([VentureTask].self, from: kept)
        try store.delete(One<VentureTask>(id: 2))
        try store.delete(One<Venture>(id: 7))
        try bringBack([VentureTask].self, kept)
        #expect(try store.find(VentureTask.self, id: 1)?.plan == nil)
        #expect(try store.find(VentureTask.self, id: 2)?.plan?.id == 7)
        #expect(try store.find(Venture.self, id: 7) == nil)
    }
}
