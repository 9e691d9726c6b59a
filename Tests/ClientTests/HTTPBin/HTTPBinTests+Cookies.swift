import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

extension HTTPBinTests {
    /// Cookies as httpbin sets and tells them.
    @Suite struct Cookies {
        let bin: HTTPBin
        let jar = CookieJar()

        init() async throws {
            bin = try await HTTPBin.shared
        }

        private func client(_ jar: CookieJar?) throws -> Client {
            try TestClient.client(at: bin.baseURL) { $0.cookies = jar }
        }

        /// The cookies that httpbin sees in a request, or in that to which it leads.
        private func seen(_ endpoint: some Endpoint, _ client: Client) async throws -> [String] {
            let seen = try await client.json(endpoint)
            return try #require(seen.keys("cookies")).map {
                "\($0)=\(seen.value(at: "cookies")?[$0]?.string ?? "")"
            }
        }

        @Test func `nobody has any who has not asked for a jar`() async throws {
            let client = try client(nil)
            #expect(try await seen(.get("cookies/set?a=1"), client) == [])
            #expect(try await seen(.get("cookies"), client) == [])
        }

        @Test func `what is set is sent, by the redirect's request already, until it is deleted`()
            async throws
        {
            let client = try client(jar)
            let other = client.configured { $0.timeout = .seconds(500) }
            #expect(try await seen(.get("cookies/set?a=1&b=2"), client) == ["a=1", "b=2"])
            #expect(try await seen(.get("cookies/set/a/3"), client) == ["a=3", "b=2"])
            #expect(try await seen(.get("cookies"), other) == ["a=3", "b=2"])
            #expect(jar.cookies.map(\.name) == ["a", "b"])
            #expect(jar.cookies.allSatisfy { $0.isHostOnly && $0.domain == "127.0.0.1" })
            #expect(try await seen(.get("cookies/delete?a="), other) == ["b=2"])
            #expect(try await seen(.get("cookies"), client) == ["b=2"])
            jar.removeAll()
            #expect(try await seen(.get("cookies"), client) == [])
        }

        @Test(arguments: ["a b", "ü", "日本 🙂", "a,b;c=\"d\"", "\\", ""])
        func `values come back as they were set`(_ value: String) async throws {
            let client = try client(jar)
            let set = AdHocEndpoint.get("cookies/set", query: ["q": value])
            #expect(try await seen(set, client) == ["q=\(value)"])
            #expect(try await seen(.get("cookies"), client) == ["q=\(value)"])
        }

        @Test func `refusals set them, too`() async throws {
            let client = try client(jar)
            let error = try #require(
                await client.error(of: .get("digest-auth/auth/ann/secret")))
            #expect(error.status == .unauthorized)
            #expect(try await seen(.get("cookies"), client).first == "fake=fake_value")
            #expect(jar.cookies.map(\.name).sorted() == ["fake", "stale_after"])
        }

        @Test func `attributes count`() async throws {
            let client = try client(jar)
            let fields = [
                "path=1; Path=/anything", "secure=1; Secure", "other=1; Domain=example.com",
                "gone=1; Max-Age=0", "lax=1; Path=/; SameSite=Lax; HttpOnly; Max-Age=60",
            ]
            let query = QueryParameters(fields.map { URLQueryItem(name: "Set-Cookie", value: $0) })
            let response = try await client.enqueue(
                .get("response-headers", query: query), as: Response<Void>.self
            ).value
            #expect(response.headerFields[values: .setCookie] == fields)
            #expect(jar.cookies.map(\.name) == ["path", "lax"])
            #expect(jar.cookies.last?.isHTTPOnly == true && jar.cookies.last?.sameSite == .lax)
            #expect(try await seen(.get("cookies"), client) == ["lax=1"])
            let below = try await client.json(.get("anything/x"))
            #expect(below.text("headers.Cookie") == "path=1; lax=1")
        }

        /// RFC 6265, section 8.5: ports tell no cookies apart.
        @Test func `another port of the host has them, as other servers on it would`() async throws
        {
            let client = try client(jar)
            #expect(try await seen(.get("cookies/set?a=1"), client) == ["a=1"])
            #expect(try await seen(Link("\(bin.otherURL)cookies"), client) == ["a=1"])
            let away = "\(bin.otherURL)cookies/set?b=2"
            #expect(
                try await seen(.get("redirect-to", query: ["url": away]), client)
                    == ["a=1", "b=2"])
            // A field of the request's own is sent as it is.
            let own = AdHocEndpoint.get("cookies", headerFields: [.cookie: "own=1"])
            #expect(try await seen(own, client) == ["own=1"])
        }
    }
}
