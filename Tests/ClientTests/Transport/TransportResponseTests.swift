import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Content that is too large for memory: in a file on its way, and stored like any other.
@Suite struct TransportResponseTests {
    /// Users in a wrapper, about two megabytes of them.
    struct Page: Wrapper {
        var token: String
        @Stored var users: Many<User>
        var next: String?
    }

    private static func users(_ count: Int) -> String {
        let login = String(repeating: "l", count: 500)
        return (1...count).map { #"{"id": \#($0), "login": "\#(login)\#($0)"}"# }
            .joined(separator: ",\n")
    }

    private static func client(at url: URL) throws -> Client {
        try TestClient.client(at: url) { $0.limits.maximumMemory = 10_000 }
    }

    /// Files that have kept their name; those of other tests lose theirs at once.
    private static func spools() throws -> Set<String> {
        var names: Set<String>?
        for _ in 0..<1000 where names?.isEmpty != true {
            let files = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
            let spools = Set(files.filter { $0.hasPrefix("larder-spool-") })
            names = names?.intersection(spools) ?? spools
        }
        return names ?? []
    }

    @Test func `a list and a wrapper are stored`() async throws {
        let server = try await LoopbackServer()
        let list = "[\(Self.users(4000))]"
        server.route(.get, "/list", .json(list))
        server.route(
            .get, "/page", .json(#"{"token": "t", "users": \#(list), "next": "n"}"#))
        let client = try Self.client(at: server.baseURL)
        let response: Response<Many<User>> = try await client.enqueue(Resource("list")).value
        #expect(try response.value.count == 4000)
        #expect(response.report["User"].inserted == 4000)
        let page: Response<Page> = try await client.enqueue(Resource("page")).value
        #expect(page.value.token == "t" && page.value.next == "n")
        #expect(page.report["User"].unchanged == 4000)
        #expect(try client.store.count(User.all) == 4000)
        #expect(try Self.spools() == [])
        await server.stop()
    }

    @Test func `who looks at the content sees all of it`() async throws {
        let text = "[\(Self.users(300))]"
        let server = try await LoopbackServer { _ in .json(text) }
        let client = try TestClient.client(at: server.baseURL) {
            $0.limits.maximumMemory = 1000
            $0.validators = [
                Validator { response, _ in
                    guard case .file = response.content, response.body.last == UInt8(ascii: "]")
                    else { throw ClientError(.emptyBody) }
                }
            ]
            $0.processors = [
                ResponseProcessor { response, _ in
                    var response = response
                    response.body = Data("[".utf8) + response.body + Data("]".utf8)
                    return response
                }
            ]
        }
        let data: Data = try await client.enqueue(Resource("list")).value
        #expect(data == Data("[\(text)]".utf8))
        await server.stop()
    }

    @Test func `a mistake at the end stores nothing, and the error has the content`() async throws {
        let text = "[\(Self.users(3000))}"
        let server = try await LoopbackServer { _ in .json(text) }
        let client = try Self.client(at: server.baseURL)
        let users: Promise<Many<User>> = client.enqueue(Resource("list"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect(error?.reason == .malformedJSON)
        #expect((error?.underlying as? JSONError)?.offset == text.utf8.count - 1)
        #expect(error?.body?.count == text.utf8.count)
        #expect(try client.store.count(User.all) == 0)
        #expect(try Self.spools() == [])
        await server.stop()
    }

    @Test func `the limit of the content holds in a file too`() async throws {
        let text = "[\(Self.users(300))]"
        let server = try await LoopbackServer { _ in .json(text) }
        let client = try TestClient.client(at: server.baseURL) {
            $0.limits.maximumMemory = 1000
            $0.limits.maximumBodySize = text.utf8.count - 1
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("list"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
        await server.stop()
    }
}
