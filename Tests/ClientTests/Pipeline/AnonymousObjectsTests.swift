import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

@Suite struct AnonymousObjectsTests {
    private let lines = Seen<String>()

    @Test func `objects without an identity that arrive again are a warning, once`() async throws {
        let json = #"[{"text": "a"}, {"text": "b"}]"#
        let store = try Store.inMemory(entities: Remark.self, User.self)
        var configuration = Client.Configuration(
            transport: StubTransport {
                $0.head.path == "/one" ? .json(#"{"text": "c"}"#) : .json(json)
            })
        configuration.logger = LineHandler.logger(lines, level: .warning)
        let client = Client(
            baseURL: "http://test.invalid/", store: store, configuration: configuration)
        let _: Many<Remark> = try await client.enqueue(Resource("x")).value
        #expect(lines.count == 0)
        let _: Response<[Remark]?> = try await client.enqueue(Resource("x")).value
        let _: Remark = try await client.enqueue(Resource("one")).value
        #expect(lines.count == 1)
        #expect(lines.values.first?.hasPrefix("warning Remark has no identity") == true)
        #expect(try store.count(Remark.all) == 5)
    }

    @Test func `those of a lossy list count too`() async throws {
        let transport = StubTransport(.json(#"[{"text": "a"}, {"text": 7}]"#))
        var configuration = Client.Configuration(transport: transport)
        configuration.logger = LineHandler.logger(lines, level: .warning)
        let client = Client(
            baseURL: "http://test.invalid/", store: try Store.inMemory(entities: Remark.self),
            configuration: configuration)
        for _ in 0..<3 {
            let _: LossyList<Remark> = try await client.enqueue(Resource("x")).value
        }
        #expect(lines.count == 1)
    }

    @Test func `those in another object's array are one, unless they are replaced`() async throws {
        let json = #"{"id": 1, "lines": [{"text": "a"}, {"text": "b"}]}"#
        let store = try Store.inMemory(entities: Trolley.self, Crate.self, TrolleyLine.self)
        var configuration = Client.Configuration(transport: StubTransport(.json(json)))
        configuration.logger = LineHandler.logger(lines, level: .warning)
        let client = Client(
            baseURL: "http://test.invalid/", store: store, configuration: configuration)
        for _ in 0..<3 {
            let _: Crate = try await client.enqueue(Resource("x")).value
        }
        #expect(try store.count(TrolleyLine.all) == 2)
        let _: Trolley = try await client.enqueue(Resource("x")).value
        #expect(lines.count == 0)
        for _ in 0..<2 {
            let _: Trolley = try await client.enqueue(Resource("x")).value
        }
        #expect(lines.count == 1)
        #expect(lines.values.first?.hasPrefix("warning Trolley.lines leads to objects") == true)
        #expect(lines.values.first?.contains("'policy: .replace'") == true)
        #expect(try store.count(TrolleyLine.all) == 8)
    }

    @Test func `objects with an identity are none`() async throws {
        let transport = StubTransport(.json(#"[{"id": 1, "login": "a"}]"#))
        let client = try TestClient.client(over: transport) {
            $0.logger = LineHandler.logger(lines, level: .warning)
        }
        for _ in 0..<3 {
            let _: Many<User> = try await client.enqueue(Resource("x")).value
        }
        #expect(lines.count == 0)
    }
}

@Entity struct Remark {
    var text: String
}

@Entity private struct Trolley {
    @Identity var id: Int
    var lines: Many<TrolleyLine>
}

@Entity private struct Crate {
    @Identity var id: Int
    @Relationship(policy: .replace) var lines: Many<TrolleyLine>
}

@Entity private struct TrolleyLine {
    var text: String
}
