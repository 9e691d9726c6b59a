import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises

/// A response that a server sends to a client alone in its process, and what it does to the store and to memory.
struct ExchangeRun {
    private let workplace: Workplace
    private let store: Store
    private let configuration: Client.Configuration

    /// Opens a store that has users.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of content; the head's is a sixteenth of it.
    ///   - version: `1.1`, or `2` for HTTP/2 by prior knowledge.
    init(milliseconds: Int, limit: Int, version: String) throws {
        workplace = try Workplace()
        store = try Store(at: workplace.path, entities: User.self)
        try store.import(Many<User>.self, from: Data(#"[{"id":1,"login":"eve"},{"id":9}]"#.utf8))
        var configuration = Client.Configuration(
            transport: try Self.transport(speaking: version), timeout: .milliseconds(milliseconds))
        configuration.limits = TransportLimits(
            maximumBodySize: limit, maximumHeaderSize: limit / 16)
        self.configuration = configuration
    }

    /// Fetches users, and says in a line what became of it, with what it did to the store and to memory.
    ///
    /// - Parameter first: A URL where the same is fetched before, and then once in vain, so that what comes but
    ///   once is no part of what is measured.
    func run(at url: String, after first: String) throws {
        _ = try outcome(at: first)
        _ = try outcome(at: "http://127.0.0.1:1/")
        let database = Database(path: workplace.path)
        let before = try database.contents()
        let memory = MemoryPeak()
        let outcome = try outcome(at: url)
        let growth = memory.growth
        try store.close()
        let after = try database.contents()
        let change = before == after ? "unchanged" : "changed"
        print(outcome, change, growth.map(String.init) ?? "unknown")
    }

    private func outcome(at text: String) throws -> String {
        guard let url = URL(string: text) else { throw Wrong("no URL: \(text)") }
        let client = Client(baseURL: url, store: store, configuration: configuration)
        do {
            let users: Many<User> = try client.enqueue(.get("users")).wait()
            return "\(try users.count)"
        } catch let error as ClientError {
            return (error.underlying as? TransportError)?.reason.description ?? "unfit"
        }
    }
}

@Entity struct User {
    @Identity var id: Int
    var login: String?
}
