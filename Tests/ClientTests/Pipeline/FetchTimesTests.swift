import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Entity(fetchedAt: true)
private struct Novel {
    @Identity var id: Int
    var title: String
    var writer: One<Poet>?
}

@Entity(fetchedAt: true)
private struct Poet {
    @Identity var id: Int
    var name: String
}

@Entity("Novel")
private struct UntimedNovel {
    @Identity var id: Int
    var title: String
    var writer: One<UntimedPoet>?
}

@Entity("Poet")
private struct UntimedPoet {
    @Identity var id: Int
    var name: String
}

/// When a client's responses have brought objects: a moment is the number of seconds since the first.
@Suite struct FetchTimesTests {
    private static let novels = """
        [{"id": 1, "title": "A", "writer": {"id": 7, "name": "ann"}}, {"id": 2, "title": "B"}]
        """

    private static func setting(
        _ policy: FetchPolicy = .networkFirst(),
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> FetchSetting {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Novel.self, Poet.self), policy, change)
        setting.server["/novels"] = novels
        return setting
    }

    private static func fetch(_ setting: FetchSetting) async throws -> ResponseSource {
        try await setting.client.enqueue(Resource("novels"), as: Response<Many<Novel>>.self)
            .value.source
    }

    /// The moments of all novels and of all writers.
    private static func times(_ setting: FetchSetting, since start: Date) throws -> [[Int?]] {
        func seconds(_ date: Date?) -> Int? {
            date.map { Int($0.timeIntervalSince(start).rounded()) }
        }
        return [
            try setting.store.select(Novel.all.sorted { $0.id.ascending }) { $0.fetchedAt }
                .map(seconds),
            try setting.store.select(Poet.all.sorted { $0.id.ascending }) { $0.fetchedAt }
                .map(seconds),
        ]
    }

    @Test func `a response has fetched what it brings, also where it is as before`() async throws {
        let setting = try Self.setting(.none)
        let start = setting.clock.now
        #expect(try await Self.fetch(setting) == .network)
        #expect(try Self.times(setting, since: start) == [[0, 0], [0]])
        setting.clock.pass(5)
        #expect(try await Self.fetch(setting) == .network)
        #expect(try Self.times(setting, since: start) == [[5, 5], [5]])
    }

    @Test func `one that is confirmed has fetched all of it again`() async throws {
        let setting = try Self.setting()
        let start = setting.clock.now
        _ = try await Self.fetch(setting)
        setting.clock.pass(5)
        #expect(try await Self.fetch(setting) == .revalidated)
        #expect(setting.server.answers == [200, 304])
        #expect(try Self.times(setting, since: start) == [[5, 5], [5]])
    }

    @Test func `one that the store makes again has fetched nothing`() async throws {
        let setting = try Self.setting()
        let start = setting.clock.now
        _ = try await Self.fetch(setting)
        setting.clock.pass(5)
        setting.server.fail()
        #expect(try await Self.fetch(setting) == .store)
        #expect(try Self.times(setting, since: start) == [[0, 0], [0]])
    }

    @Test func `one whose objects have gone is asked for as a whole`() async throws {
        let setting = try Self.setting()
        let start = setting.clock.now
        _ = try await Self.fetch(setting)
        try setting.store.delete(Poet.all)
        setting.clock.pass(5)
        #expect(try await Self.fetch(setting) == .network)
        #expect(setting.server.answers == [200, 304, 200])
        #expect(try Self.times(setting, since: start) == [[5, 5], [5]])
        #expect(try setting.store.checkIntegrity().isSound)
    }

    @Test func `what a cache has had is as old as it was there`() async throws {
        let setting = try Self.setting(.none) { $0.cache = ResponseCache(in: nil, now: $0.now) }
        let start = setting.clock.now
        setting.server.send([.cacheControl: "max-age=60"])
        _ = try await Self.fetch(setting)
        try await setting.client.configuration.cache?.settled().value
        setting.clock.pass(5)
        #expect(try await Self.fetch(setting) == .cache)
        #expect(try Self.times(setting, since: start) == [[0, 0], [0]])
        setting.clock.pass(100)
        #expect(try await Self.fetch(setting) == .revalidated)
        #expect(try Self.times(setting, since: start) == [[105, 105], [105]])
    }

    @Test func `one that was kept before moments were is asked for as a whole`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "larder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "store.sqlite").path()
        let before = try FetchSetting(
            in: Store(at: path, entities: UntimedNovel.self, UntimedPoet.self))
        before.server["/novels"] = Self.novels
        _ = try await before.client.enqueue(Resource("novels"), as: Many<UntimedNovel>.self).value
        try before.store.close()
        let setting = try FetchSetting(in: Store(at: path, entities: Novel.self, Poet.self))
        setting.server["/novels"] = Self.novels
        let start = setting.clock.now
        #expect(try await Self.fetch(setting) == .network)
        #expect(setting.server.answers == [200])
        #expect(try Self.times(setting, since: start) == [[0, 0], [0]])
    }
}
