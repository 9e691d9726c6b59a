import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises

extension Scenario {
    /// What a client writes besides the objects of responses: what the store can answer by, where pulls go on, and
    /// what a cache has.
    static let responses: [Scenario] = [
        Scenario(
            "keep-response",
            steps: [
                { store, _ in try fetch(60..<80, in: store) },
                // Confirmed by the server, which sends nothing.
                { store, _ in try fetch(60..<80, in: store) },
                { store, _ in try fetch(70..<90, in: store) },
                { store, _ in
                    try settle(client(of: store, over: nothing).invalidate(tag: "books"))
                },
            ]),
        Scenario(
            "pull-pages",
            steps: Array(repeating: { store, _ in try pullPage(in: store) }, count: 3)),
        Scenario(
            "log-out",
            steps: [
                { store, _ in try fetch(60..<80, in: store) },
                { store, _ in try pullPage(in: store) },
                // What is left where the objects can't go: nothing answers by what is kept.
                { store, _ in try forget(in: store) },
                { store, _ in try settle(client(of: store, over: nothing).logOut()) },
            ]),
        Scenario(
            "keep-content",
            steps: [
                { store, _ in try fetchContent(of: 200_000, in: store) },
                { store, _ in try fetchContent(of: 300_000, in: store) },
            ]),
    ]

    private static let books = AdHocEndpoint.get("books").setting(\.tags, to: ["books"])

    private static let nothing = ScriptedTransport { _ in
        throw TransportError(.connectionLost, "Nobody is to be asked.")
    }

    private static func client(
        of store: Store, over transport: ScriptedTransport,
        _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        guard let url = URL(string: "http://library.invalid/") else { throw Wrong("no URL") }
        var configuration = Client.Configuration(transport: transport)
        configuration.fetchPolicy = .networkFirst()
        configure(&configuration)
        return Client(baseURL: url, store: store, configuration: configuration)
    }

    /// Waits for a promise, and throws the store's errors as they are.
    @discardableResult
    private static func settle<Value>(_ promise: Promise<Value>) throws -> Value {
        do {
            return try promise.wait()
        } catch let error as ClientError {
            throw error.underlying as? StoreError ?? error
        }
    }

    /// Fetches books from a server that knows whether they are those that it has sent.
    private static func fetch(_ range: Range<Int>, in store: Store) throws {
        let tag = "\"\(range.lowerBound)\""
        let transport = ScriptedTransport { request in
            let isKnown = request.head.headerFields[.ifNoneMatch] == tag
            return response(
                isKnown ? Data() : Library.books(range), isKnown ? .notModified : .ok, tag: tag)
        }
        let fetched = try settle(client(of: store, over: transport).enqueue(books, as: [Book].self))
        guard fetched.map(\.id) == Array(range) else { throw Wrong("other books") }
    }

    /// Pulls a page of ten books where the last one ended, up to a third one; the connection is lost then.
    private static func pullPage(in store: Store) throws {
        let transport = ScriptedTransport { request, number in
            guard number == 0 else { throw TransportError(.connectionLost, "One page is enough.") }
            let place = URLComponents(string: request.head.path ?? "")?.queryItems?.first?.value
            let first = place.flatMap { Int($0) } ?? 60
            let next = first < 80 ? "\"next\":\"\(first + 10)\"," : ""
            let books = String(decoding: Library.books(first..<(first + 10)), as: UTF8.self)
            return response(Data("{\(next)\"books\":\(books)}".utf8))
        }
        do {
            try settle(
                client(of: store, over: transport).pull(
                    books, as: BookPage.self, by: .cursor(query: "after") { $0.next },
                    from: .named("books")))
        } catch let error as ClientError where error.reason == .transport {
            return
        }
    }

    /// Empties what the store can answer by, and where pulls go on.
    private static func forget(in store: Store) throws {
        try store.writeBeside { tables in
            for table in [SideTables.keptResponses, SideTables.pulls] {
                if try tables.has(table) { try tables.run("DELETE FROM \"\(table)\"") }
            }
        }
    }

    /// Fetches content that is too large for a row, and again what of it is kept, if it could be.
    private static func fetchContent(of count: Int, in store: Store) throws {
        let text = String(repeating: "x", count: count)
        let transport = ScriptedTransport { _ in
            response(Data(text.utf8), fields: [.cacheControl: "max-age=600"])
        }
        let client = try client(of: store, over: transport) {
            $0.cache = ResponseCache(in: store)
        }
        let path = AdHocEndpoint.get("text", query: ["count": count])
        guard try settle(client.enqueue(path, as: String.self)) == text else {
            throw Wrong("other content")
        }
        do {
            // Behind what keeps it.
            let kept = try settle(client.caching(.cachedOnly).enqueue(path, as: String.self))
            guard kept == text else { throw Wrong("other content is kept") }
        } catch let error as ClientError where error.reason == .notCached {
            return
        }
    }

    private static func response(
        _ content: Data, _ status: HTTPResponse.Status = .ok, tag: String? = nil,
        fields: HTTPFields = [:]
    ) -> TransportResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.eTag] = tag
        return TransportResponse(head: head, body: content)
    }
}

/// A page of books.
private struct BookPage: Wrapper {
    var next: String?
    @Stored var books: Many<Book>
}

/// A transport that answers at once, on the calling thread.
final class ScriptedTransport: Transport {
    private let answer: @Sendable (TransportRequest, Int) throws -> TransportResponse
    private let count = Guarded(0)

    /// - Parameter answer: Answers a request, with the number of those before it.
    init(answer: @escaping @Sendable (TransportRequest, Int) throws -> TransportResponse) {
        self.answer = answer
    }

    convenience init(answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse) {
        self.init { request, _ in try answer(request) }
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        completion(
            Result { try answer(request, number) }.mapError {
                $0 as? TransportError ?? TransportError(.other, "\($0)")
            })
        return EndedTask()
    }

    private struct EndedTask: TransportTask {
        func cancel() {}
    }
}
