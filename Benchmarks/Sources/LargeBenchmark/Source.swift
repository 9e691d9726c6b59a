import Foundation
import Issues
import Larder

/// Where the JSON comes from.
struct Source {
    private enum Kind {
        case memory(URL)
        case disk(URL)
        case network(URL)
    }

    private let kind: Kind
    let byteCount: Int

    init(_ arguments: [String]) throws {
        let file = URL(filePath: arguments[1])
        switch arguments[0] {
        case "network":
            guard let url = URL(string: arguments[1]),
                let count = arguments.last.flatMap({ Int($0) })
            else { throw CocoaError(.fileReadInvalidFileName) }
            kind = .network(url)
            byteCount = count
            return
        case "disk": kind = .disk(file)
        default: kind = .memory(file)
        }
        byteCount = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }

    /// Returns how many issues there were.
    func insert(into store: Store) async throws -> Int {
        switch kind {
        case .memory(let file):
            try store.import(Many<Issue>.self, from: Data(contentsOf: file)).count
        case .disk(let file):
            try store.import(Many<Issue>.self, from: JSONDocument(contentsOf: file)).count
        case .network(let url):
            try await insert(from: url, into: store)
        }
    }

    private func insert(from url: URL, into store: Store) async throws -> Int {
        var configuration = Client.Configuration()
        configuration.timeout = .seconds(600)
        configuration.limits.maximumBodySize = 4 << 30
        let client = Client(baseURL: url, store: store, configuration: configuration)
        let issues: Many<Issue> = try await client.enqueue(Whole()).value
        return try issues.count
    }

    private struct Whole: Endpoint {
        var path: String { "" }
    }
}
