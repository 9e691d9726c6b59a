import Foundation
import Testing

@testable import LarderObjectStore

/// What has been deleted since somebody watches, where the numbers of rows come again.
struct DeparturesTests {
    private let store: Store

    init() throws {
        var configuration = Store.Configuration()
        configuration.evictions = [Eviction(Album.self, by: "soldAt", olderThan: .zero)]
        store = try .inMemory(
            entities: Album.self, Song.self, Singer.self, configuration: configuration)
        try store.import(
            [Album].self,
            from: """
                [{"id": 1, "songs": [{"id": 11}], "singers": [{"name": "a"}]},
                 {"id": 2, "songs": [{"id": 12}, {"id": 13}]},
                 {"id": 3, "soldAt": "2001-01-01T00:00:00Z"}]
                """)
    }

    private func departed<Object: Entity>(
        _ type: Object.Type, since watch: RowWatch
    ) throws -> Set<Int64> {
        try store.write { context in
            context.departures(of: try store.plan.entity(Object.entityName), since: watch)
        }
    }

    @Test func `all that deletes is seen, and what goes along with it`() throws {
        let ways: [(Store) throws -> Void] = [
            { try $0.delete(One<Album>(id: 1)) },
            { try $0.delete(Album.where { $0.id == 1 }) },
            { try $0.import([Album].self, from: #"[{"id": 1, "isGone": true}]"#) },
            {
                try $0.import(
                    [Album].self, from: #"[{"id": 2}, {"id": 3}]"#, completing: .whole(Album.all))
            },
        ]
        for way in ways {
            let suite = try Self()
            let watch = suite.store.watchRows()
            try way(suite.store)
            #expect(try suite.departed(Album.self, since: watch) == [1])
            #expect(try suite.departed(Song.self, since: watch) == [11])
            // Its row has a number of its own, which does not come again.
            #expect(try suite.departed(Singer.self, since: watch).isEmpty)
        }
        let watch = store.watchRows()
        try store.evict()
        #expect(try departed(Album.self, since: watch) == [3])
        try store.deleteAll()
        #expect(try departed(Album.self, since: watch) == [1, 2, 3])
        #expect(try departed(Song.self, since: watch) == [11, 12, 13])
    }

    @Test func `of what nothing identifies it is noted what lists bring, and take the place of`()
        throws
    {
        let store = try Store.inMemory(entities: Hum.self)
        let hums = Completeness.whole(Hum.all).allowingEmptying()
        let watch = store.watchRows()
        func noted() throws -> [Int] {
            try store.write { context in
                let plan = try store.plan.entity(Hum.entityName)
                return [
                    context.arrivals(of: plan, since: watch).count,
                    context.replacements(of: plan, since: watch).count,
                ]
            }
        }
        try store.import([Hum].self, from: #"[{"text": "b"}]"#)
        try store.save(Hum(text: "c"))
        #expect(try noted() == [0, 0])
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try store.write { context in
                _ = try context.import(
                    Many<Hum>.self, from: #"[{"text": "d"}]"#, completing: hums)
                throw Undone()
            }
        }
        #expect(try noted() == [0, 0])
        let json = #"[{"text": "e"}, {"text": "f"}]"#
        try store.import(Many<Hum>.self, from: json, completing: hums)
        #expect(try noted() == [2, 2])
        try store.import(Many<Hum>.self, from: json, completing: hums)
        #expect(try noted() == [4, 4])
        #expect(try store.select(Hum.all.sorted { $0.text.ascending }) { $0.text } == ["e", "f"])
    }

    @Test func `a transaction sees its own, and nothing of what is taken back`() throws {
        struct Undone: Error {}
        let watch = store.watchRows()
        let plan = try store.plan.entity(Album.entityName)
        try store.write { context in
            try context.delete(One<Album>(id: 1))
            try? context.savepoint {
                try context.delete(One<Album>(id: 2))
                try? context.savepoint {
                    try context.delete(One<Album>(id: 3))
                    throw Undone()
                }
                #expect(context.departures(of: plan, since: watch) == [1, 2])
                throw Undone()
            }
            #expect(context.departures(of: plan, since: watch) == [1])
        }
        #expect(try departed(Album.self, since: watch) == [1])
        #expect(throws: Undone.self) {
            try store.write { context in
                try context.delete(One<Album>(id: 2))
                throw Undone()
            }
        }
        #expect(try departed(Album.self, since: watch) == [1])
    }

    @Test func `each sees what has gone since it has begun, and nothing is kept for nobody`()
        throws
    {
        #expect(!store.writer.notedRows.isWatched)
        do {
            let first = store.watchRows()
            try store.delete(One<Album>(id: 1))
            let second = store.watchRows()
            try store.delete(One<Album>(id: 2))
            let third = store.watchRows()
            #expect(try departed(Album.self, since: first) == [1, 2])
            #expect(try departed(Album.self, since: second) == [2])
            #expect(try departed(Album.self, since: third).isEmpty)
        }
        #expect(!store.writer.notedRows.isWatched)
        let watch = store.watchRows()
        #expect(try departed(Album.self, since: watch).isEmpty)
    }

    @Test func `who comes while a transaction is open sees what that had deleted before`() throws {
        let watch = try store.write { context in
            try context.delete(One<Album>(id: 1))
            return store.watchRows()
        }
        #expect(try departed(Album.self, since: watch) == [1])
    }

    @Test func `while nobody watches no more than some are noted`() throws {
        let limit = NotedRows.limit
        try store.save((100..<100 + limit * 2).map { Song(id: $0) })
        let watch = try store.write { context in
            try context.delete(Song.all)
            return store.watchRows()
        }
        #expect(try departed(Song.self, since: watch).count == limit)
        try store.save((100..<100 + limit * 2).map { Song(id: $0) })
        try store.delete(Song.all)
        #expect(try departed(Song.self, since: watch).count >= limit * 2)
    }

    @Test func `a list takes nothing that has come again since, in its own transaction either`()
        throws
    {
        for isTogether in [true, false] {
            let suite = try Self()
            let store = suite.store
            let whole = Completeness.whole(Album.all)
            let watch = store.watchRows()
            let candidates = try store.read { try whole.candidates(in: $0, since: watch) }
            let list = try JSONDocument(Data(#"[{"id": 2}]"#.utf8)).root
            func replace(_ context: Context) throws {
                try context.delete(One<Album>(id: 1))
                try context.import(Album.self, from: #"{"id": 1}"#)
            }
            if !isTogether { try store.write { try replace($0) } }
            try store.write { context in
                if isTogether { try replace(context) }
                try context.completing(whole, by: list, at: list, besides: candidates) {
                    _ = try context.import([Album].self, from: list)
                }
            }
            #expect(try store.select(Album.all.sorted { $0.id.ascending }) { $0.id } == [1, 2])
        }
    }
}

/// What one whole number identifies, and takes others of its kind along.
@Entity(tombstone: "isGone") private struct Album {
    @Identity var id: Int
    var soldAt: Date?
    @Relationship(delete: .cascade) var songs: Many<Song>
    var singers: Many<Singer>
}

@Entity private struct Song {
    @Identity var id: Int
}

@Entity private struct Singer {
    @Identity var name: String
}

/// What nothing identifies.
@Entity private struct Hum {
    var text: String
}
