import Foundation
import Issues
import Larder
import Nginx

/// Requests for a list of 1,000 issues that the store answers, beside a query of the same issues.
///
/// The store has these issues, their users and their labels, and nothing else.
struct Answers {
    private static let count = 1_000
    /// The requests of a round.
    private static let requestCount = 100

    private let folder: URL
    private let rounds: Int
    /// A part of the names of those that are measured; nil for all.
    private let name: String?
    /// The list by itself, and in an object that has more.
    private let list: String
    private let page: String

    init(of file: IssueFile, in folder: URL, rounds: Int, named name: String?) throws {
        (self.folder, self.rounds, self.name) = (folder, rounds, name)
        list = String(decoding: try file.pages(1, of: Self.count)[0], as: UTF8.self)
        page = #"{"total": 1000, "cursor": "c2", "issues": \#(list), "links": {"next": "/page?2"}}"#
    }

    func run() throws {
        for way in Way.all {
            try measure("list, \(way.name)", way, list, as: [Issue].self, \.count)
            try measure("in a wrapper, \(way.name)", way, page, as: IssuePage.self, \.issues.count)
        }
        guard let nginx = try NginxServer(files: ["list": list, "page": page]) else {
            print("nginx is not installed; a 304 was measured in the process alone")
            return
        }
        defer { nginx.stop() }
        let url = "http://127.0.0.1:\(nginx.port)/"
        let client = try client(url, Client.Configuration())
        try measure("list, 304 of nginx", client, .get("list"), as: [Issue].self, \.count)
        try measure(
            "in a wrapper, 304 of nginx", client, .get("page"), as: IssuePage.self, \.issues.count)
    }

    private func isWanted(_ name: String) -> Bool { self.name.map(name.contains) ?? true }

    private func client(_ url: String, _ configuration: Client.Configuration) throws -> Client {
        var configuration = configuration
        configuration.fetchPolicy = .networkFirst()
        let path = folder.appending(path: "\(UUID().uuidString).sqlite").path()
        let store = try Store(at: path, entities: Issue.self, User.self, Label.self)
        return Client(baseURL: url, store: store, configuration: configuration)
    }

    private func measure<Value: Importable>(
        _ name: String, _ way: Way, _ content: String, as type: Value.Type,
        _ count: @escaping @Sendable (Value) -> Int
    ) throws {
        guard isWanted(name) else { return }
        let server = ListServer(content)
        let client = try client(
            "http://example.com/", Client.Configuration(transport: server.transport))
        _ = try Round.of(1, enqueue: { client.enqueue(.get("list"), as: type) }) { _ in }
        server.isAway = way.isAway
        try measure(name, client.fetching(way.policy), .get("list"), as: type, count)
        let confirmations = way.isAway ? 0 : (rounds + 1) * Self.requestCount + 1
        guard server.confirmationCount == confirmations else { throw WrongResult(what: name) }
    }

    private func measure<Value: Importable>(
        _ name: String, _ client: Client, _ endpoint: AdHocEndpoint, as type: Value.Type,
        _ count: @escaping @Sendable (Value) -> Int
    ) throws {
        guard isWanted(name) else { return }
        let enqueue: @Sendable () -> Promise<Value> = { client.enqueue(endpoint, as: type) }
        let check: @Sendable (Value) throws -> Void = { value in
            guard count(value) == Self.count else { throw WrongResult(what: name) }
        }
        // The first one stores the list, where it is not stored yet.
        _ = try Round.of(1, enqueue: enqueue, check: check)
        var comparison = TimeComparison(beside: "a query")
        for round in 0...rounds {
            let query = try Round.of(Self.requestCount) {
                let issues = try client.store.fetch(Issue.all)
                guard issues.count == Self.count else { throw WrongResult(what: name) }
            }
            let own = try Round.of(Self.requestCount, enqueue: enqueue, check: check)
            // The first round warms up.
            if round > 0 { comparison.add(own, beside: query) }
        }
        print("\(name): \(comparison)")
    }
}

extension Answers {
    /// A way to have the store answer.
    fileprivate struct Way {
        let name: String
        let policy: FetchPolicy
        /// Whether the server can't be reached.
        let isAway: Bool

        static let all = [
            Way(name: "304", policy: .networkFirst(), isAway: false),
            Way(name: "network gone, storeFirst", policy: .storeFirst, isAway: true),
            Way(name: "network gone, storeOnly", policy: .storeOnly, isAway: true),
            Way(name: "network gone, networkFirst", policy: .networkFirst(), isAway: true),
        ]
    }
}

/// A page of issues with what else belongs to it.
private struct IssuePage: Wrapper {
    struct Links: Decodable {
        var next: String
    }

    var total: Int
    var cursor: String?
    @Stored var issues: [Issue]
    var links: Links
}
