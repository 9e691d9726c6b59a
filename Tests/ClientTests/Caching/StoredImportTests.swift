import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What is known of the ways in which content has been stored, by this run and by those before.
@Suite struct StoredImportTests {
    enum Older {
        @Entity struct Person {
            @Identity var id: Int
            var name: String
        }

        @Entity struct Team {
            @Identity var id: Int
            var name: String
        }
    }

    enum Newer {
        @Entity struct Person {
            @Identity var id: Int
            var name: String
            var city: String?
        }

        @Entity struct Team {
            @Identity var id: Int
            var name: String
            var place: String?
        }
    }

    /// A server that confirms what it has said once.
    private static func setting(in store: Store) throws -> CacheSetting {
        try CacheSetting(in: store, policy: .disk(for: .seconds(600))) { request in
            let fields: HTTPFields = [.eTag: "\"1\""]
            guard request.head.headerFields[.ifNoneMatch] == nil else {
                return .json("", status: .notModified, headerFields: fields)
            }
            return .json(
                #"""
                {"people": [{"id": 1, "name": "ann", "city": "Rome"}],
                 "teams": [{"id": 1, "name": "red", "place": "Oslo"}]}
                """#, headerFields: fields)
        }
    }

    /// A setting by the newer model, behind one by the older that has stored both lists.
    private static func newer(at file: TemporaryFile) async throws -> CacheSetting {
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let store = try Store(at: path, entities: Older.Person.self, Older.Team.self)
        let older = try setting(in: store)
        _ = try await older.client
            .enqueue(Resource("x"), as: Many<Older.Person>.self, at: "people").value
        _ = try await older.cache.settled().value
        _ = try await older.client
            .enqueue(Resource("x"), as: Many<Older.Team>.self, at: "teams").value
        _ = try await older.cache.settled().value
        try store.close()
        return try setting(
            in: Store(at: path, entities: Newer.Person.self, Newer.Team.self))
    }

    private func people(_ setting: CacheSetting) async throws -> Response<[Newer.Person]> {
        let response = try await setting.client
            .enqueue(Resource("x"), as: Response<[Newer.Person]>.self, at: "people").value
        _ = try await setting.cache.settled().value
        return response
    }

    @Test func `what another model has stored is filled at each place of it`() async throws {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let setting = try await Self.newer(at: file)
        let people = try await people(setting)
        #expect(people.source == .revalidated && people.value.map(\.city) == ["Rome"])
        let teams = try await setting.client
            .enqueue(Resource("x"), as: Response<[Newer.Team]>.self, at: "teams").value
        #expect(teams.source == .revalidated && teams.value.map(\.place) == ["Oslo"])
    }

    @Test func `what another model has stored is confirmed once, and once more to be stored`()
        async throws
    {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let setting = try await Self.newer(at: file)
        #expect(try await setting.get().source == .revalidated)
        #expect(try await setting.get().source == .cache)
        let people = try await people(setting)
        #expect(people.source == .revalidated && people.value.map(\.city) == ["Rome"])
        #expect(try await self.people(setting).source == .cache)
        #expect(setting.asked.count == 2)
    }

    /// What has another key by some options.
    private struct Lists: Wrapper {
        @Stored var allPeople: Many<Newer.Person>?
    }

    @Test func `what is read by other options is asked about once, and is news then`()
        async throws
    {
        let setting = try CacheSetting(
            in: Store.inMemory(entities: Newer.Person.self), policy: .disk(for: .seconds(600))
        ) { request in
            let fields: HTTPFields = [.eTag: "\"1\""]
            guard request.head.headerFields[.ifNoneMatch] == nil else {
                return .json("", status: .notModified, headerFields: fields)
            }
            return .json(#"{"all_people": [{"id": 1, "name": "new"}]}"#, headerFields: fields)
        }
        try setting.client.store.save(Newer.Person(id: 1, name: "old", city: nil))
        func ask(by options: DecodingOptions) async throws -> ResponseSource {
            let response: Response<Lists> = try await setting.client
                .configured { $0.decodingOptions = options }
                .enqueue(Resource("x")).value
            _ = try await setting.cache.settled().value
            return response.source
        }
        #expect(try await ask(by: DecodingOptions()) == .network)
        #expect(try await ask(by: DecodingOptions()) == .cache)
        let other = DecodingOptions(keys: .convertFromSnakeCase)
        #expect(try await ask(by: other) == .revalidated)
        #expect(try setting.client.store.select(Newer.Person.all) { $0.name } == ["new"])
        #expect(try await ask(by: other) == .cache)
        #expect(try await ask(by: DecodingOptions()) == .cache)
    }

    /// A server that may be away.
    private final class Away: Sendable {
        private let state = Guarded(false)

        var isAway: Bool {
            get { state.withLock(\.self) }
            set { state.withLock { $0 = newValue } }
        }

        func setting(in store: Store) throws -> CacheSetting {
            try CacheSetting(in: store, policy: .disk(for: .seconds(600))) { _ in
                if self.isAway { throw TransportError(.cannotConnect, "Away.") }
                return .json(#"[{"id": 1, "name": "ann", "city": "Rome"}]"#)
            }
        }
    }

    /// Of what has been stored before by another one, nobody knows whether it is older than what is there.
    @Test func `by another model the server is asked, and nothing written over where it is away`()
        async throws
    {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let away = Away()
        do {
            let store = try Store(at: path, entities: Older.Person.self)
            let older = try away.setting(in: store)
            _ = try await older.client.enqueue(Resource("x"), as: Many<Older.Person>.self).value
            _ = try await older.cache.settled().value
            try store.save(Older.Person(id: 1, name: "own"))
            try store.close()
        }
        let store = try Store(at: path, entities: Newer.Person.self)
        let newer = try away.setting(in: store)
        func ask() async throws -> Response<[Newer.Person]> {
            let people: Response<[Newer.Person]> = try await newer.client
                .enqueue(Resource("x")).value
            _ = try await newer.cache.settled().value
            return people
        }
        away.isAway = true
        let kept = try await ask()
        #expect(kept.source == .cache && kept.value.map(\.name) == ["own"])
        away.isAway = false
        let asked = try await ask()
        #expect(asked.source == .network && asked.value.map(\.city) == ["Rome"])
        #expect(try await ask().source == .cache)
    }

    /// Whether the store has kept what the other model has read, or the cache alone has it.
    @Test(arguments: [false, true])
    func `where the server was away, the store asks it once it is back`(
        _ isKept: Bool
    ) async throws {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let away = Away()
        do {
            let store = try Store(at: path, entities: Older.Person.self)
            let older = try away.setting(in: store)
            let client = older.client.fetching(isKept ? .networkFirst() : .none)
            _ = try await client.enqueue(Resource("x"), as: [Older.Person].self).value
            _ = try await older.cache.settled().value
            try store.close()
        }
        let newer = try away.setting(in: Store(at: path, entities: Newer.Person.self))
        func ask() async throws -> Response<[Newer.Person]> {
            let people: Response<[Newer.Person]> = try await newer.client.fetching(.storeFirst)
                .enqueue(Resource("x")).value
            _ = try await newer.cache.settled().value
            return people
        }
        away.isAway = true
        for _ in 0..<2 {
            let cached = try await ask()
            #expect(cached.source == .cache && cached.value.map(\.city) == [nil])
            let known = try await newer.client.freshness(of: Resource("x")).value
            #expect(known?.isInvalid == true)
        }
        away.isAway = false
        let asked = try await ask()
        #expect(asked.source == .network && asked.value.map(\.city) == ["Rome"])
        #expect(try await ask().source == .store)
    }

    /// The system names the folders of an app anew with each update.
    @Test func `a store is the same one in another folder of its app's`() {
        func place(_ path: String, _ home: String) -> String {
            StoredImport.lastingPlace(path, home: home)
        }
        let apps = "/var/mobile/Containers/Data/Application"
        let own = place("\(apps)/A/Library/store.sqlite", "\(apps)/A")
        #expect(own == "~/Library/store.sqlite")
        #expect(place("\(apps)/B/Library/store.sqlite", "\(apps)/B/") == own)
        #expect(place("/private\(apps)/B/Library/store.sqlite", "\(apps)/B") == own)
        #expect(place("\(apps)/B/Library/store.sqlite", "/private\(apps)/B") == own)
        #expect(place("\(apps)/B/Library/other.sqlite", "\(apps)/B") != own)
        let other = "\(apps)/AB/Library/store.sqlite"
        #expect(place(other, "\(apps)/A") == other)
        let groups = "/private/var/mobile/Containers/Shared/AppGroup"
        let shared = place("\(groups)/\(UUID().uuidString)/store.sqlite", "\(apps)/A")
        #expect(place("\(groups)/\(UUID().uuidString)/store.sqlite", "\(apps)/B") == shared)
        #expect(place("\(groups)/\(UUID().uuidString)/other.sqlite", "\(apps)/A") != shared)
        #expect(place("/data/AppGroup/x/store.sqlite", "/") == "/data/AppGroup/x/store.sqlite")
    }
}
