import Foundation
import Larder
import LarderTesting

/// Fresh hits of the cache, for a response of a kilobyte.
struct Hits {
    private static let requestCount = 500

    private let folder: URL
    private let rounds: Int
    private let content: String

    init(in folder: URL, rounds: Int) {
        (self.folder, self.rounds) = (folder, rounds)
        let head = #"{"id": 1, "text": ""#
        content = head + String(repeating: "x", count: 1_024 - head.utf8.count - 2) + #""}"#
    }

    func run() throws {
        try measure("in the store's file, as data", .http, as: Data.self) { $0.count == 1_024 }
        try measure("in memory, as data", .memory(for: .seconds(3_600)), as: Data.self) {
            $0.count == 1_024
        }
        try measure("in the store's file, as an object", .http, as: Note.self) { $0.id == 1 }
    }

    private func measure(
        _ name: String, _ policy: CachePolicy, as type: Data.Type,
        _ isRight: @escaping @Sendable (Data) -> Bool
    ) throws {
        try measure(name, policy, enqueue: { $0.enqueue(.get("note"), as: type) }, isRight)
    }

    private func measure<Value: Importable>(
        _ name: String, _ policy: CachePolicy, as type: Value.Type,
        _ isRight: @escaping @Sendable (Value) -> Bool
    ) throws {
        try measure(name, policy, enqueue: { $0.enqueue(.get("note"), as: type) }, isRight)
    }

    private func measure<Value: Sendable>(
        _ name: String, _ policy: CachePolicy,
        enqueue: @escaping @Sendable (Client) -> Promise<Value>,
        _ isRight: @escaping @Sendable (Value) -> Bool
    ) throws {
        let path = folder.appending(path: "\(UUID().uuidString).sqlite").path()
        let store = try Store(at: path, entities: Note.self)
        let transport = StubTransport(
            .json(content, headerFields: [.cacheControl: "max-age=86400", .eTag: "\"1\""]))
        var configuration = Client.Configuration(transport: transport)
        configuration.cache = ResponseCache(in: store)
        configuration.cachePolicy = policy
        let client = Client(
            baseURL: "http://example.com/", store: store, configuration: configuration)
        let check: @Sendable (Value) throws -> Void = { value in
            guard isRight(value) else { throw WrongResult(what: name) }
        }
        var own: [Round] = []
        for round in 0...rounds {
            let hits = try Round.of(Self.requestCount, enqueue: { enqueue(client) }, check: check)
            if round > 0 { own.append(hits) }
        }
        guard transport.requests.count == 1 else { throw WrongResult(what: name) }
        let times = own.map { $0.seconds * 1e3 }
        print(
            "hit \(name): \(median(times), decimals: 3) ms",
            "(\(times.min() ?? 0, decimals: 3)-\(times.max() ?? 0, decimals: 3)),",
            "by processor time \(median(own.map { $0.processorSeconds * 1e3 }), decimals: 3) ms")
    }
}

/// What is asked for.
@Entity
struct Note {
    @Identity var id: Int
    var text: String
}
