import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

@Entity(fetchedAt: true)
private struct Novel {
    @Identity var id: Int
    var title: String
    var shelf: String?
    var writer: One<Poet>?
}

@Entity(fetchedAt: true)
private struct Poet {
    @Identity var name: String
    var born: Int?
}

@Entity(fetchedAt: true)
private struct Motif {
    @Identity var word: String
}

@Entity
private struct Plain {
    @Identity var id: Int
    var novel: One<Novel>?
    var tags: Many<Motif>
}

@Entity(fetchedAt: true)
private struct Beast {
    @Identity var id: Int
    var name: String?
}

@Entity(parent: Beast.self, fetchedAt: true)
private struct Fish {
    @Inherited var id: Int
    @Inherited var name: String?
    var fins: Int?
}

/// When objects were last fetched; a moment is the number of a second.
struct FetchingTests {
    private let clock = OracleClock()
    private let store: Store

    init() throws {
        var configuration = Store.Configuration()
        configuration.now = { [clock] in clock.now }
        store = try Store.inMemory(
            entities: Novel.self, Poet.self, Motif.self, Plain.self, Beast.self, Fish.self,
            configuration: configuration)
    }

    /// Imports JSON at a moment.
    @discardableResult
    private func fetch<Object: Entity>(
        _ type: Object.Type, _ json: String, at step: Int
    ) throws -> ImportReport.Counts {
        clock.step = step
        return try store.write { context in
            _ = try context.import(Many<Object>.self, from: Data(json.utf8))
            return context.report.total
        }
    }

    private static func step(_ date: Date?) -> Int? {
        date.map { Int($0.timeIntervalSinceReferenceDate) }
    }

    /// The moments of novels in the order of their identities.
    private func novels() throws -> [Int?] {
        try store.select(Novel.all.sorted { $0.id.ascending }) { $0.fetchedAt }.map(Self.step)
    }

    private func writers() throws -> [Int?] {
        try store.select(Poet.all.sorted { $0.name.ascending }) { $0.fetchedAt }.map(Self.step)
    }

    private func date(_ step: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(step))
    }

    // MARK: What counts

    @Test func `an object is fetched whenever JSON brings it`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, at: 1)
        #expect(try novels() == [1, 1])
        let report = try fetch(Novel.self, #"[{"id": 2, "title": "B"}]"#, at: 2)
        #expect(report.unchanged == 1 && report.updated == 0)
        #expect(try novels() == [1, 2])
        try fetch(Novel.self, #"[{"id": 1, "shelf": "x"}]"#, at: 3)
        #expect(try novels() == [3, 2])
    }

    @Test func `so is one inside another, however often it comes`() throws {
        let json = """
            [{"id": 1, "title": "A", "writer": {"name": "ann"}},
             {"id": 2, "title": "B", "writer": {"name": "ann", "born": 1}},
             {"id": 3, "title": "C", "writer": {"name": "ann", "born": 1}}]
            """
        try fetch(Novel.self, json, at: 1)
        #expect(try writers() == [1])
        try fetch(Novel.self, json, at: 2)
        #expect(try writers() == [2])
        #expect(try novels() == [2, 2, 2])
    }

    @Test func `what names an object alone does not bring it`() throws {
        let written = #"[{"id": 1, "title": "A", "writer": {"name": "ann", "born": 1}}]"#
        try fetch(Novel.self, written, at: 1)
        try fetch(Novel.self, #"[{"id": 2, "title": "B", "writer": "ann"}]"#, at: 2)
        try fetch(Novel.self, #"[{"id": 3, "title": "C", "writer": {"name": "ann"}}]"#, at: 3)
        #expect(try writers() == [1])
        try fetch(Plain.self, #"[{"id": 1, "novel": 9, "tags": []}]"#, at: 4)
        #expect(try store.rows("SELECT * FROM \(name: "Novel.$fetched") WHERE row = 9").isEmpty)
    }

    @Test func `unless that is all there is to it`() throws {
        try fetch(Plain.self, #"[{"id": 1, "tags": ["a", "b"]}]"#, at: 1)
        try fetch(Plain.self, #"[{"id": 2, "tags": ["b", {"word": "c"}]}]"#, at: 2)
        let times = try store.select(Motif.all.sorted { $0.word.ascending }) { $0.fetchedAt }
        #expect(times.map(Self.step) == [1, 2, 2])
    }

    @Test func `what the app writes is not fetched, and takes nothing of it back`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 1)
        clock.step = 2
        try store.save(Novel(id: 1, title: "B"))
        try store.save(Novel(id: 2, title: "C"))
        try store.update(Novel.all) { $0.shelf.set("x") }
        #expect(try novels() == [1, nil])
    }

    @Test func `the moment goes with the object`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, at: 1)
        try store.delete(Novel.where { $0.id == 1 })
        try store.save(Novel(id: 1, title: "C"))
        #expect(try novels() == [nil, 1])
        try store.delete(Novel.all)
        #expect(try store.rows("SELECT * FROM \(name: "Novel.$fetched")").isEmpty)
    }

    @Test func `what is taken back has not been fetched`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 1)
        #expect(throws: MappingError.self) {
            try fetch(Novel.self, #"[{"id": 1, "title": "B"}, {"id": 2}]"#, at: 2)
        }
        struct Stop: Error {}
        clock.step = 3
        try store.write { context in
            try? context.savepoint {
                _ = try context.import(Novel.self, from: Data(#"{"id": 1, "shelf": "x"}"#.utf8))
                throw Stop()
            }
        }
        #expect(try novels() == [1])
    }

    @Test func `a moment is not put back by an older one`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 5)
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 3)
        #expect(try novels() == [5])
    }

    @Test func `sub-entities have it, too`() throws {
        try fetch(Fish.self, #"[{"id": 1, "fins": 2}]"#, at: 1)
        try fetch(Beast.self, #"[{"id": 2, "name": "cat"}, {"id": 1, "name": "eel"}]"#, at: 2)
        let all = try store.select(Beast.all.sorted { $0.id.ascending }) { $0.fetchedAt }
        #expect(all.map(Self.step) == [2, 2])
        #expect(try store.count(Fish.where { $0.fetchedAt == date(2) }) == 1)
    }

    // MARK: What is asked

    @Test func `queries ask and sort by it, also behind a relationship and in text`() throws {
        let written = #"[{"id": 1, "title": "A", "writer": {"name": "ann", "born": 1}}]"#
        try fetch(Novel.self, written, at: 2)
        try fetch(Novel.self, #"[{"id": 2, "title": "B"}]"#, at: 1)
        try store.save(Novel(id: 3, title: "C"))
        #expect(try store.fetch(Novel.where { $0.fetchedAt < date(2) }).map(\.id) == [2])
        #expect(try store.fetch(Novel.where { $0.fetchedAt.isNil }).map(\.id) == [3])
        #expect(
            try store.fetch(Novel.all.sorted { $0.fetchedAt.ascending }).map(\.id) == [3, 2, 1])
        #expect(try store.fetch(Novel.where { $0.writer.fetchedAt == date(2) }).map(\.id) == [1])
        let text = try Novel.all.where("fetchedAt < '2001-01-01T00:00:02Z'", in: store)
        #expect(try store.fetch(text).map(\.id) == [2])
        #expect(
            try store.fetch(Novel.all.sorted("-fetchedAt, id", in: store)).map(\.id)
                == [1, 2, 3])
        #expect(
            try store.fetch(Novel.all.where("writer.fetchedAt is null", in: store)).map(\.id)
                == [2, 3])
        #expect(throws: (any Error).self) {
            try store.fetch(Novel.all.where("fetchedAt.x = 1", in: store))
        }
    }

    @Test func `pages go on by it`() throws {
        for id in 1...5 { try fetch(Novel.self, #"[{"id": \#(id), "title": "A"}]"#, at: 9 - id) }
        let query = Novel.all.sorted { $0.fetchedAt.ascending }
        var (page, ids) = (try store.page(query, size: 2), [Int]())
        ids += page.objects.map(\.id)
        while let next = page.next {
            page = try store.page(query, size: 2, after: next)
            ids += page.objects.map(\.id)
        }
        #expect(ids == [5, 4, 3, 2, 1])
    }

    @Test func `a store that does not keep it says so`() throws {
        let condition = Column<Date?>.fetchedAt(ColumnPath()) < date(1)
        let error = #expect(throws: StoreError.self) {
            try store.fetch(Plain.where { _ in condition })
        }
        #expect(error?.message.contains("objects of Plain") == true)
        #expect(throws: StoreError.self) { try store.evict(Plain.self, fetchedBefore: date(1)) }
        #expect(throws: (any Error).self) {
            try store.fetch(Plain.all.where("fetchedAt is null", in: store))
        }
    }

    @Test func `objects go that were fetched before a moment`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, at: 1)
        try fetch(Novel.self, #"[{"id": 2, "title": "B"}]"#, at: 2)
        try store.save(Novel(id: 3, title: "C"))
        #expect(try store.evict(Novel.self, fetchedBefore: date(2)) == ["Novel": 1])
        #expect(try store.fetch(Novel.all).map(\.id) == [2, 3])
    }

    @Test func `and those that were fetched longest ago, where there are too many`() throws {
        var configuration = Store.Configuration()
        configuration.now = { [clock] in clock.now }
        configuration.evictions = [Eviction(Novel.self, olderThan: .seconds(10), keeping: 2)]
        let store = try Store.inMemory(
            entities: Novel.self, Poet.self, configuration: configuration)
        for (id, step) in [(1, 5), (2, 8), (3, 7), (4, 0)] {
            clock.step = step
            let json = #"{"id": \#(id), "title": "A"}"#
            _ = try store.import(Novel.self, from: Data(json.utf8))
        }
        #expect(try store.evict(at: date(11)) == ["Novel": 2])
        #expect(try store.fetch(Novel.all).map(\.id) == [2, 3])
    }

    @Test func `who observes hears of it where that is asked, and nobody else`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 1)
        let asking = LiveRecorder(
            store.observe(Novel.where { $0.fetchedAt > date(1) }).map { $0.map(\.id) }, of: store)
        let others = LiveRecorder(store.observe(Novel.all).map { $0.map(\.id) }, of: store)
        #expect(asking.take() == [[]])
        #expect(others.take() == [[1]])
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 2)
        #expect(asking.take() == [[1]])
        #expect(others.take() == [])
    }

    @Test func `objects go out as JSON without it`() throws {
        try fetch(Novel.self, #"[{"id": 1, "title": "A"}]"#, at: 1)
        let json = String(decoding: try store.json(Novel.all), as: UTF8.self)
        #expect(!json.contains("fetched"))
    }

    @Test func `a property of that name is refused`() throws {
        let entity = EntityDescription(
            name: "A", identity: ["id"],
            attributes: [
                AttributeDescription("id", .integer, key: "id"),
                AttributeDescription("fetchedAt", .date, isOptional: true, key: "fetchedAt"),
            ], hasFetchedAt: true)
        let error = #expect(throws: ModelError.self) {
            try Model(name: "Test", entities: [entity])
        }
        #expect(error?.problems.map(\.path) == ["entities.A.fetchedAt"])
    }
}
