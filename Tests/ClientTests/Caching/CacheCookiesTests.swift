import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Whose a response is that a cache keeps, where a jar gives cookies.
@Suite struct CacheCookiesTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]

    private static func get(_ client: Client) async throws -> String {
        try await client.enqueue(Resource("me"), as: String.self).value
    }

    @Test func `each has what was kept for its cookies`() async throws {
        let jar = CookieJar()
        let counter = Seen<Void>()
        let transport = StubTransport { _ in
            counter.note(())
            return .json("\(counter.count)", headerFields: Self.fresh)
        }
        let client = try TestClient.client(over: transport) {
            ($0.cookies, $0.cache) = (jar, .inMemory())
        }
        #expect(try await Self.get(client) == "1")
        let url = try #require(client.baseURL)
        jar.set("sid=bob", from: url)
        #expect(try await Self.get(client) == "2")
        jar.removeAll()
        #expect(try await Self.get(client) == "1")
        jar.set("sid=bob", from: url)
        #expect(try await Self.get(client) == "2")
    }

    @Test func `a response is kept for the cookies that its request went with`() async throws {
        let (transport, jar) = (HeldTransport(), CookieJar())
        let queue = RequestQueue(maximumRequests: 1)
        let client = try TestClient.client(over: transport) {
            ($0.cookies, $0.cache, $0.queue) = (jar, .inMemory(), queue)
        }
        let logIn = client.enqueue(AdHocEndpoint(.post, "login"), as: String.self)
        while transport.requests.isEmpty { await Task.yield() }
        let mine = client.enqueue(Resource("me"), as: String.self)
        while queue.waitingCount == 0 { await Task.yield() }
        transport.end(0, .success(.json("1", headerFields: [.setCookie: "sid=bob"])))
        transport.end(1, .success(.json("bob", headerFields: Self.fresh)))
        _ = try await logIn.value
        #expect(try await mine.value == "bob")
        #expect(transport.requests[1].head.headerFields[.cookie] == "sid=bob")
        #expect(try await Self.get(client) == "bob")
        jar.removeAll()
        transport.end(2, .success(.json("nobody")))
        #expect(try await Self.get(client) == "nobody")
    }

    @Test func `what a write makes invalid is so whoever's it has become`() async throws {
        let (transport, jar) = (HeldTransport(), CookieJar())
        let queue = RequestQueue(maximumRequests: 1)
        let client = try TestClient.client(over: transport) {
            ($0.cookies, $0.cache, $0.queue) = (jar, .inMemory(), queue)
        }
        transport.end(0, .success(.json("old", headerFields: Self.fresh)))
        #expect(try await Self.get(client) == "old")
        let logIn = client.enqueue(AdHocEndpoint(.post, "login"), as: String.self)
        while transport.requests.count < 2 { await Task.yield() }
        let put = client.enqueue(AdHocEndpoint(.put, "me"), as: String.self)
        while queue.waitingCount == 0 { await Task.yield() }
        transport.end(1, .success(.json("1", headerFields: [.setCookie: "sid=bob"])))
        transport.end(
            2,
            .success(
                .json(
                    "bob's",
                    headerFields: [.cacheControl: "max-age=600", .contentLocation: "/me"])))
        _ = try await logIn.value
        _ = try await put.value
        #expect(transport.requests[2].head.headerFields[.cookie] == "sid=bob")
        // Neither what was kept before nor what is another's.
        jar.removeAll()
        transport.end(3, .success(.json("new")))
        #expect(try await Self.get(client) == "new")
    }

    @Test func `what is kept of others is not asked about`() async throws {
        let (transport, jar) = (HeldTransport(), CookieJar())
        let queue = RequestQueue(maximumRequests: 1)
        let client = try TestClient.client(over: transport) {
            ($0.cookies, $0.cache, $0.queue) = (jar, .inMemory(), queue)
        }
        let fields: HTTPFields = [.cacheControl: "max-age=0", .eTag: "\"1\""]
        transport.end(0, .success(.json("nobody", headerFields: fields)))
        #expect(try await Self.get(client) == "nobody")
        let logIn = client.enqueue(AdHocEndpoint(.post, "login"), as: String.self)
        while transport.requests.count < 2 { await Task.yield() }
        let mine = client.enqueue(Resource("me"), as: String.self)
        while queue.waitingCount == 0 { await Task.yield() }
        transport.end(1, .success(.json("1", headerFields: [.setCookie: "sid=bob"])))
        transport.end(2, .success(.json("bob", headerFields: fields)))
        _ = try await logIn.value
        #expect(try await mine.value == "bob")
        #expect(transport.requests[2].head.headerFields[.ifNoneMatch] == nil)
    }

    /// Where a redirect is looked up, on a thread that knows nothing of the transaction.
    @Test func `nothing is waited for that a transaction has, behind a redirect either`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let transport = HeldTransport { transport, number in
            Thread.detachNewThread {
                transport.end(
                    number,
                    .success(
                        number == 0
                            ? .json("", status: .found, headerFields: [.location: "/there"])
                            : .json("there")))
            }
        }
        let value = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let value = try? store.write { _ in
                    // Its file has nothing by which it could tell requests apart.
                    var configuration = Client.Configuration(transport: transport)
                    configuration.cache = ResponseCache(in: store)
                    let client = Client(
                        baseURL: "http://test.invalid/", store: store, configuration: configuration)
                    return try client.enqueue(Resource("here"), as: String.self)
                        .wait(timeout: .seconds(20))
                }
                continuation.resume(returning: value)
            }
        }
        #expect(value == "there")
    }
}
