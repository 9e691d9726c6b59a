import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

extension HTTPBinTests {
    /// Redirects as httpbin sends them, relative and absolute.
    @Suite struct Redirects {
        let bin: HTTPBin
        let client: Client

        init() async throws {
            bin = try await HTTPBin.shared
            client = try TestClient.client(at: bin.baseURL)
        }

        @Test(arguments: [
            ("redirect/3", ["redirect/3", "relative-redirect/2", "relative-redirect/1"]),
            (
                "redirect/3?absolute=true",
                ["redirect/3?absolute=true", "absolute-redirect/2", "absolute-redirect/1"]
            ),
            ("relative-redirect/2", ["relative-redirect/2", "relative-redirect/1"]),
            ("absolute-redirect/2", ["absolute-redirect/2", "absolute-redirect/1"]),
            ("get", []),
        ])
        func `the response says where it is from, and what led there`(
            _ path: String, _ way: [String]
        ) async throws {
            let response = try await client.enqueue(
                Resource(path), as: Response<JSONDocument>.self
            ).value
            #expect(response.status == .ok)
            #expect(response.url?.absoluteString == "\(bin.baseURL)get")
            #expect(
                response.redirects.map(\.absoluteString) == way.map { "\(bin.baseURL)\($0)" })
            #expect(response.value.root.text("url") == "\(bin.baseURL)get")
        }

        /// What was asked, how it was redirected, and what is asked then: RFC 9110, sections 15.4.2 to 15.4.9,
        /// and what browsers do.
        private static let methods: [(Int, HTTPRequest.Method, HTTPRequest.Method)] = [
            (301, .post, .get), (302, .post, .get), (303, .post, .get), (303, .put, .get),
            (303, .patch, .get), (303, .delete, .get), (307, .post, .post), (308, .post, .post),
            (301, .put, .put), (302, .put, .put), (301, .patch, .patch), (302, .delete, .delete),
            (307, .patch, .patch), (308, .delete, .delete), (307, .put, .put),
        ]

        @Test(arguments: methods)
        func `method and content go along, or become a GET's`(
            _ status: Int, _ method: HTTPRequest.Method, _ expected: HTTPRequest.Method
        ) async throws {
            let seen = try await client.json(
                AdHocEndpoint(
                    method, "redirect-to", query: ["url": "/anything?x=1", "status_code": status],
                    headerFields: [.named("X-Note"): "note"], body: .json(["a": 1])))
            #expect(seen.text("method") == expected.rawValue)
            #expect(seen.text("args.x") == "1")
            #expect(seen.text("headers.X-Note") == "note")
            let keepsContent = expected == method
            #expect(seen.text("data") == (keepsContent ? #"{"a":1}"# : ""))
            #expect(
                seen.text("headers.Content-Type") == (keepsContent ? "application/json" : nil))
            #expect(seen.text("headers.Content-Length") == (keepsContent ? "7" : nil))
        }

        @Test(arguments: [301, 302, 303, 307, 308])
        func `GET stays GET with each of them, and so does HEAD`(_ status: Int) async throws {
            let query: QueryParameters = ["url": "/anything", "status_code": status]
            let seen = try await client.json(.get("redirect-to", query: query))
            #expect(seen.text("method") == "GET")
            // `/cookies` is for GET and HEAD alone.
            let other: QueryParameters = ["url": "/cookies", "status_code": status]
            let head = try await client.enqueue(
                .head("redirect-to", query: other), as: Response<Data>.self
            ).value
            #expect(head.status == .ok && head.value.isEmpty)
            #expect(head.url?.absoluteString == "\(bin.baseURL)cookies")
        }

        @Test func `there are no more than the limit allows`() async throws {
            let two = client.configured { $0.redirects.limit = 2 }
            let error = try #require(await two.error(of: .get("redirect/3")))
            #expect(error.reason == .tooManyRedirects)
            #expect(error.status == .found)
            #expect(error.url == "\(bin.baseURL)relative-redirect/1")
            #expect(error.headerFields?[.location] == "/get")
            try await two.enqueue(.get("redirect/2"), as: Void.self).value
            // One that leads to itself is one of those that never end.
            let loop = try #require(await client.error(of: .get("redirect-to?url=")))
            #expect(loop.reason == .tooManyRedirects)
        }

        @Test func `where none is followed, they are responses like others`() async throws {
            let ignoring = client.configured { $0.redirects = .ignore }
            let error = try #require(await ignoring.error(of: .get("absolute-redirect/1")))
            #expect(error.reason == .unacceptableStatus && error.status == .found)
            let response = try await ignoring.enqueue(
                .get("absolute-redirect/1", acceptedStatuses: [302]), as: Response<Data>.self
            ).value
            #expect(response.headerFields[.location] == "\(bin.baseURL)get")
            #expect(response.redirects.isEmpty)
        }

        @Test(arguments: [300, 304, 305, 308])
        func `a status that leads nowhere is a status`(_ status: Int) async throws {
            let error = try #require(await client.error(of: Resource("status/\(status)")))
            #expect(error.reason == .unacceptableStatus && error.status?.code == status)
        }

        @Test(arguments: [
            ("../anything/a b#part", "anything/a%20b"), ("anything/./x/../ü", "anything/%C3%BC"),
            ("?url=/get", "get"), ("/anything?q=a%2Bb#x", "anything?q=a%2Bb"),
        ])
        func `references are resolved, without their fragments`(
            _ reference: String, _ expected: String
        ) async throws {
            let response = try await client.enqueue(
                .get("redirect-to", query: ["url": reference]), as: Response<JSONDocument>.self
            ).value
            #expect(response.url?.absoluteString == "\(bin.baseURL)\(expected)")
        }

        @Test(arguments: ["ftp://127.0.0.1/x", "mailto:ann@example.com", "http:///x"])
        func `what can't be asked for is not asked for`(_ reference: String) async throws {
            let endpoint = AdHocEndpoint.get("redirect-to", query: ["url": reference])
            let error = try #require(await client.error(of: endpoint))
            #expect(error.reason == .invalidRedirect && error.status == .found)
            #expect(error.underlying is TransportError)
        }

        @Test func `what asks on the way to another origin is without secrets`() async throws {
            let client = client.configured {
                $0.headerFields[.named("X-Key")] = "secret"
                $0.headerFields[.authorization] = "Bearer secret"
                $0.headerFields[.cookie] = "own=secret"
                $0.redirects.sendsContentElsewhere = true
            }
            let own = try await client.json(
                .get("redirect-to", query: ["url": "\(bin.baseURL)anything"]))
            #expect(own.text("headers.X-Key") == "secret")
            #expect(own.text("headers.Authorization") == "Bearer secret")
            #expect(own.text("headers.Cookie") == "own=secret")
            let other = "\(bin.otherURL)redirect-to?url=\(bin.baseURL)anything"
            for url in ["\(bin.otherURL)anything", other] {
                let seen = try await client.json(
                    AdHocEndpoint(
                        .post, "redirect-to", query: ["url": url, "status_code": 307],
                        headerFields: [.named("X-Note"): "secret"], body: .json(["a": 1])))
                let fields = try #require(seen.value(at: "headers"))
                #expect(!String(decoding: fields.source, as: UTF8.self).contains("secret"))
                #expect(seen.text("headers.User-Agent") == "Larder")
                #expect(seen.text("headers.Accept") == "application/json")
            }
        }

        @Test func `what a redirect leads to is stored like any other`() async throws {
            let response = try await client.enqueue(
                .post(
                    "redirect-to?url=/post&status_code=307",
                    body: .json(["id": 7, "login": "ann"])),
                as: Response<User>.self, at: "json"
            ).value
            #expect(response.value == User(id: 7, login: "ann"))
            #expect(response.redirects.count == 1)
            #expect(try client.store.fetch(User.all) == [response.value])
        }
    }
}
