import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

extension HTTPBinTests {
    /// Credentials as httpbin checks them.
    @Suite struct Authorization {
        let bin: HTTPBin

        init() async throws {
            bin = try await HTTPBin.shared
        }

        private func client(_ interceptors: any Interceptor...) throws -> Client {
            try TestClient.client(at: bin.baseURL) { $0.interceptors = interceptors }
        }

        /// What httpbin says of who has asked.
        private struct Identity: Decodable {
            var authenticated: Bool
            var user: String?
            var token: String?
        }

        @Test(arguments: [
            ("ann", "secret"), ("jürgen", "gehe: ß?"), ("日本", ":"), ("a b", "%2F+&="),
            ("🙂", "\\\"'"),
        ])
        func `a name and a password in any script are those that were meant`(
            _ user: String, _ password: String
        ) async throws {
            let client = try client(
                AuthorizationInterceptor(.basic(user: user, password: password)))
            for kind in ["basic-auth", "hidden-basic-auth"] {
                let identity = try await client.enqueue(
                    .get("\(raw: kind)/\(user)/\(password)"), as: Identity.self
                ).value
                #expect(identity.authenticated && identity.user == user)
            }
        }

        @Test func `a refusal is a status, and says neither name nor password`() async throws {
            let credential = Credential.basic(user: "ann", password: "wrong-secret")
            for client in [try client(), try client(AuthorizationInterceptor(credential))] {
                let error = try #require(await client.error(of: .get("basic-auth/ann/right")))
                #expect(error.reason == .unacceptableStatus && error.status == .unauthorized)
                #expect(error.headerFields?[.wwwAuthenticate] == "Basic realm=\"Fake Realm\"")
                #expect(!"\(error)".contains("wrong-secret"))
                let hidden = try #require(
                    await client.error(of: .get("hidden-basic-auth/ann/right")))
                #expect(hidden.status == .notFound)
            }
        }

        /// Larder answers no challenges: what a server asks for in this way is an error that says so.
        @Test(arguments: ["MD5", "SHA-256", "SHA-512"])
        func `digest is refused with what the server asks for`(_ algorithm: String) async throws {
            let credential = Credential.basic(user: "ann", password: "secret")
            for interceptors in [[], [AuthorizationInterceptor(credential)]] {
                let client = try TestClient.client(at: bin.baseURL) {
                    $0.interceptors = interceptors
                }
                let error = try #require(
                    await client.error(of: .get("digest-auth/auth/ann/secret/\(algorithm)")))
                #expect(error.reason == .unacceptableStatus && error.status == .unauthorized)
                let challenge = try #require(error.headerFields?[.wwwAuthenticate])
                #expect(challenge.hasPrefix("Digest realm="))
                #expect(challenge.contains("algorithm=\(algorithm)"))
                #expect("\(error)".contains("the status is not acceptable (status 401)"))
            }
        }

        @Test func `a token is replaced once, for as many as are refused`() async throws {
            let refreshes = Seen<Credential>()
            let old = Credential.basic(user: "old", password: "old")
            let authorization = AuthorizationInterceptor(old) { credential in
                refreshes.note(credential)
                return .fulfilled(.bearer("fresh"))
            }
            let client = try client(authorization)
            let promises = (0..<20).map {
                client.enqueue(.get("bearer", query: ["n": $0]), as: Identity.self)
            }
            for promise in promises {
                let identity = try await promise.value
                #expect(identity.authenticated && identity.token == "fresh")
            }
            #expect(refreshes.values == [old])
            #expect(authorization.credential == .bearer("fresh"))
        }

        @Test func `a new one that is refused, too, is an error and no loop`() async throws {
            let refreshes = Seen<Credential>()
            let sent = Seen<String?>()
            let client = try client(
                AuthorizationInterceptor(.basic(user: "a", password: "1")) { credential in
                    refreshes.note(credential)
                    return .fulfilled(.basic(user: "a", password: "2"))
                },
                ClosureInterceptor { request, next in
                    sent.note(request.head.headerFields[.authorization])
                    return next(request)
                })
            let error = try #require(await client.error(of: .get("bearer")))
            #expect(error.reason == .unacceptableStatus && error.status == .unauthorized)
            #expect(error.headerFields?[.wwwAuthenticate] == "Bearer")
            #expect(refreshes.count == 1)
            #expect(sent.values == ["Basic YTox", "Basic YToy"])
        }

        @Test func `credentials go to their origin alone, whoever leads elsewhere`() async throws {
            let credentials: [Credential] = [
                .bearer("secret"), .basic(user: "ann", password: "secret"),
                .apiKey("secret", field: .named("X-Key")), .apiKey("secret", queryItem: "key"),
            ]
            for credential in credentials {
                let refreshes = Seen<Credential>()
                let client = try client(
                    AuthorizationInterceptor(credential) { old in
                        refreshes.note(old)
                        return .fulfilled(old)
                    })
                let own = try await seen(by: "\(bin.baseURL)anything", client)
                let redirected = try await seen(
                    by: "\(bin.baseURL)redirect-to?url=/anything", client)
                let other = try await seen(by: "\(bin.otherURL)anything", client)
                let away = try await seen(
                    by: "\(bin.baseURL)redirect-to?url=\(bin.otherURL)anything", client)
                let counts = [own, redirected, other, away].map(\.count)
                // A redirect's reference has no key, unless the server puts it there.
                let isItem = credential == .apiKey("secret", queryItem: "key")
                #expect(counts == [1, isItem ? 0 : 1, 0, 0], "\(credential)")
                // Another origin's refusal is its own.
                let error = try #require(await client.error(of: Link("\(bin.otherURL)bearer")))
                #expect(error.status == .unauthorized && refreshes.count == 0)
            }
        }

        /// The header fields and query items that hold the secret, or what it is written as.
        private func seen(by url: String, _ client: Client) async throws -> [String] {
            let seen = try await client.json(Link(url))
            let values = ["headers", "args"].flatMap { place in
                (seen.keys(place) ?? []).compactMap { seen.value(at: place)?[$0]?.string }
            }
            let basic = Data("ann:secret".utf8).base64EncodedString()
            return values.filter { $0.contains("secret") || $0.contains(basic) }
        }

        @Test func `other origins get it where they are named, and none where it isn't needed`()
            async throws
        {
            let origins = [bin.baseURL, bin.otherURL].map(\.absoluteString)
            let authorization = AuthorizationInterceptor(.bearer("secret"), origins: origins)
            let client = try client(authorization)
            for url in origins {
                let seen = try await client.json(Link("\(url)headers"))
                #expect(seen.text("headers.Authorization") == "Bearer secret")
            }
            let open = try await client.json(
                AdHocEndpoint(.get, "headers").setting(\.needsAuthorization, to: false))
            #expect(open.text("headers.Authorization") == nil)
            authorization.logOut()
            #expect(try await client.json(.get("headers")).text("headers.Authorization") == nil)
            let error = try #require(await client.error(of: .get("bearer")))
            #expect(error.status == .unauthorized)
        }
    }
}
