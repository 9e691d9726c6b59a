import Foundation
import Larder
import LarderTesting
import Testing

/// What arrives where things go wrong, and what the store holds then.
struct FailureTests {
    private struct Issues: Endpoint {
        var path: String { "issues" }
    }

    private static let twoIssues = """
        [{"id": 1, "number": 1, "title": "One", "state": "open", "locked": false, "comments": 0,
          "created_at": "2026-11-21T10:00:00Z", "updated_at": "2026-11-21T10:00:00Z",
          "html_url": "https://example.com/1", "labels": []},
         {"id": 2, "number": 2, "title": "Two", "state": "open", "locked": false, "comments": 0,
          "created_at": "2026-11-21T11:00:00Z", "updated_at": "2026-11-21T11:00:00Z",
          "html_url": "https://example.com/2", "labels": []}]
        """

    private func withStore(_ body: (Store) async throws -> Void) async throws {
        try await TemporaryStore.with(
            Issue.self, User.self, Label.self, Milestone.self, do: body)
    }

    /// The error that enqueuing the issues ends in.
    private func failure(at baseURL: URL, in store: Store) async -> (any Error)? {
        let client = Client.patient(baseURL: baseURL, store: store)
        let promise: Promise<Many<Issue>> = client.enqueue(Issues())
        switch await promise.result {
        case .success: return nil
        case .failure(let error): return error
        }
    }

    @Test func `a response that is cut in the middle stores nothing`() async throws {
        try await withStore { store in
            let body = Self.twoIssues
            let server = try RawServer(
                sending: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(400))")
            let error = await failure(at: server.baseURL, in: store)
            server.stop()
            #expect((error as? ClientError)?.reason == .transport)
            #expect(try store.count(Issue.all) == 0)
        }
    }

    @Test func `JSON that ends in the middle stores nothing`() async throws {
        try await withStore { store in
            let server = try await LoopbackServer { _ in .json(String(Self.twoIssues.dropLast())) }
            let error = await failure(at: server.baseURL, in: store) as? ClientError
            await server.stop()
            #expect(error?.reason == .malformedJSON)
            #expect((error?.underlying as? JSONError)?.reason == .unexpectedEnd)
            #expect(try store.count(Issue.all) == 0)
        }
    }

    @Test func `JSON that does not fit names entity, attribute and path`() async throws {
        try await withStore { store in
            let server = try await LoopbackServer { _ in
                .json(
                    Self.twoIssues.replacing("\"2026-11-21T11:00:00Z\", \"u", with: "\"soon\", \"u")
                )
            }
            let error = await failure(at: server.baseURL, in: store) as? ClientError
            await server.stop()
            let mapping = try #require(error?.underlying as? MappingError)
            #expect(error?.reason == .notStored)
            #expect(mapping.entity == "Issue")
            #expect(mapping.attribute == "createdAt")
            #expect(mapping.path == "$[1].created_at")
            #expect(try store.count(Issue.all) == 0)
        }
    }

    @Test func `an unreachable server is an error of the transport`() async throws {
        try await withStore { store in
            // A port that no other test's server is ever given.
            let baseURL = try #require(URL(string: "http://127.0.0.1:1/"))
            let error = await failure(at: baseURL, in: store) as? ClientError
            #expect(error?.reason == .transport)
            #expect((error?.underlying as? TransportError)?.reason == .cannotConnect)
            #expect(error?.status == nil)
        }
    }

    @Test(arguments: [404, 500])
    func `a refusing status comes with its body`(code: Int) async throws {
        try await withStore { store in
            let server = try await LoopbackServer { _ in
                .json(#"{"message": "no such thing"}"#, status: .init(code: code))
            }
            let error = await failure(at: server.baseURL, in: store) as? ClientError
            await server.stop()
            #expect(error?.reason == .unacceptableStatus)
            #expect(error?.status?.code == code)
            #expect(error?.body == Data(#"{"message": "no such thing"}"#.utf8))
        }
    }

    @Test func `what was stored before stays readable without the server`() async throws {
        try await withStore { store in
            let server = try await LoopbackServer { _ in .json(Self.twoIssues) }
            #expect(await failure(at: server.baseURL, in: store) == nil)
            await server.stop()
            #expect(await failure(at: server.baseURL, in: store) is ClientError)
            let titles = try store.fetch(Issue.all.sorted { $0.createdAt.descending }).map(\.title)
            #expect(titles == ["Two", "One"])
        }
    }
}
