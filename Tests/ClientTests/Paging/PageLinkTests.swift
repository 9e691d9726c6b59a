import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

@testable import LarderClient

/// What stands in the links that lead from page to page.
@Suite struct PageLinkTests {
    @Test(arguments: [
        (HTTPField.Name.named("Link"), "</users?page[number]=2&name=K%C3%BChe>; rel=\"next\""),
        (.named("Next-Page"), "/users?page[number]=2&name=K%C3%BChe"),
    ])
    func `brackets and escapes are asked for as they stand`(
        _ field: HTTPField.Name, _ value: String
    ) async throws {
        let paths = Seen<String>()
        let client = try TestClient.client(
            over: StubTransport { request in
                let count = paths.add(request.head.path ?? "")
                return .json(
                    #"[{"id": \#(count), "login": "u"}]"#,
                    headerFields: count == 0 ? [field: value] : [:])
            })
        let paging: Paging<Many<User>> = field == .named("Link") ? .link() : .header()
        _ = try await client.pull(Resource("users"), as: Many<User>.self, by: paging).value
        #expect(
            paths.values.map { $0.removingPercentEncoding } == [
                "/users", "/users?page[number]=2&name=Kühe",
            ])
    }

    @Test(arguments: [
        ("http://[::1]:80/a[b]?c[]=%5B%20#[", "http://[::1]:80/a%5Bb%5D?c%5B%5D=%5B%20#%5B"),
        ("/a?b[]=1", "/a?b%5B%5D=1"), ("?url=http://h/[x]", "?url=http://h/%5Bx%5D"),
        ("http://h?a[0]=1", "http://h?a%5B0%5D=1"), ("http://h/a%5Bb", "http://h/a%5Bb"),
    ])
    func `a URL of text encodes nothing a second time`(_ text: String, _ expected: String) {
        #expect(URL(reference: text)?.absoluteString == expected)
    }

    @Test func `a key that a link repeats is in no log, and gives way to the new one`()
        async throws
    {
        let link = HTTPField.Name.named("Link")
        let isCut = Guarded(true)
        let (lines, paths, store) = (Seen<String>(), Seen<String>(), try TestClient.store())
        let transport = StubTransport { request in
            let path = request.head.path ?? ""
            paths.note(path)
            guard path.contains("page=2") else {
                return .json(
                    #"[{"id": 1, "login": "ann"}]"#,
                    headerFields: [link: "<http://test.invalid\(path)&page=2>; rel=\"next\""])
            }
            if isCut.withLock(\.self) { throw TransportError(.connectionLost, "Cut off.") }
            return path.contains("appid=new") ? .json("[]") : .json("{}", status: .unauthorized)
        }
        func pull(_ key: String) async throws {
            var configuration = Client.Configuration(transport: transport)
            configuration.interceptors = [
                AuthorizationInterceptor(.apiKey(key, queryItem: "appid"))
            ]
            configuration.logger = LineHandler.logger(lines, level: .debug)
            let client = Client(
                baseURL: "http://test.invalid/", store: store, configuration: configuration)
            _ = try await client.pull(
                Resource("users"), as: Many<User>.self, from: .named("users")
            ).value
        }
        await #expect(throws: ClientError.self) { try await pull("s3cr3t") }
        #expect(!lines.values.contains { $0.contains("s3cr3t") })
        let rows = try store.readBeside { try $0.rows("SELECT url FROM \"\(SideTables.pulls)\"") }
        #expect(rows.count == 1 && !"\(rows)".contains("s3cr3t"))
        isCut.withLock { $0 = false }
        try await pull("new")
        #expect(paths.values.last == "/users?page=2&appid=new")
    }

    @Test(arguments: [false, true])
    func `a key that a link repeats is not kept with it`(_ isCached: Bool) async throws {
        let link = HTTPField.Name.named("Link")
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let transport = StubTransport { request in
            let fields: HTTPFields = [
                link: "<\(request.head.path ?? "")&page=2>; rel=\"next\"",
                .cacheControl: "max-age=900",
            ]
            return .json(#"[{"id": 1, "login": "ann"}]"#, headerFields: fields)
        }
        var configuration = Client.Configuration(transport: transport, timeout: .seconds(600))
        configuration.interceptors = [
            AuthorizationInterceptor(.apiKey("s3cr3t", queryItem: "appid"))
        ]
        configuration.cache = isCached ? ResponseCache(in: store) : nil
        configuration.fetchPolicy = isCached ? .clientDefault : .storeFirst
        let client = Client(
            baseURL: "http://test.invalid/", store: store, configuration: configuration)
        for source in [ResponseSource.network, isCached ? .cache : .store] {
            let response = try await client.enqueue(
                Resource("users"), as: Response<Many<User>>.self
            ).value
            #expect(response.source == source)
            #expect(response.link(rel: "next")?.absoluteString.hasSuffix("page=2") == true)
            _ = try await client.configuration.cache?.settled().value
        }
        let path = try #require(store.path)
        let file = ["", "-wal"].reduce(into: Data()) { file, suffix in
            file += (try? Data(contentsOf: URL(filePath: path + suffix))) ?? Data()
        }
        #expect(file.range(of: Data("page=2>".utf8)) != nil)
        #expect(file.range(of: Data("s3cr3t".utf8)) == nil)
    }

    @Test func `a redirect to what has a key is not kept, as nobody would add it again`()
        async throws
    {
        let paths = Seen<String>()
        let client = try TestClient.client(
            over: StubTransport { request in
                let path = request.head.path ?? ""
                paths.note(path)
                guard path.hasPrefix("/old") else { return .json("[]") }
                return TransportResponse(
                    head: HTTPResponse(
                        status: .movedPermanently,
                        headerFields: [.location: "/new?appid=k", .cacheControl: "max-age=900"]))
            }
        ) {
            $0.interceptors = [AuthorizationInterceptor(.apiKey("k", queryItem: "appid"))]
            $0.cache = .inMemory()
        }
        for _ in 1...2 {
            _ = try await client.enqueue(Resource("old"), as: [User].self).value
            _ = try await client.configuration.cache?.settled().value
        }
        #expect(paths.values.filter { $0 == "/old?appid=k" }.count == 2)
        #expect(paths.values.filter { $0 == "/new?appid=k" }.count == 2)
    }

    @Test func `an app's own item of a key's name is asked for on each page`() async throws {
        let paths = Seen<String>()
        let transport = StubTransport { request in
            let path = request.head.path ?? ""
            let isFirst = paths.add(path) == 0
            return .json(
                "[]",
                headerFields: isFirst ? [.named("Link"): "<\(path)&page=2>; rel=\"next\""] : [:])
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [AuthorizationInterceptor(.apiKey("k", queryItem: "appid"))]
        }
        let list = AdHocEndpoint.get("users", query: ["appid": "own"])
        _ = try await client.pull(list, as: Many<User>.self).value
        #expect(paths.values == ["/users?appid=own", "/users?appid=own&page=2"])
    }

    @Test(arguments: [false, true])
    func `an app's own item of a key's name is a secret, also behind a log-out`(
        _ isLoggedOut: Bool
    ) async throws {
        let interceptor = AuthorizationInterceptor(.apiKey("k", queryItem: "appid"))
        let client = try TestClient.client(
            over: StubTransport(.json("{}", status: .internalServerError))
        ) { $0.interceptors = [interceptor] }
        if isLoggedOut { interceptor.logOut() }
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(
                .get("users", query: ["appid": "s3cr3t"]), as: [User].self
            ).value
        }
        #expect(error?.url?.contains("appid=") == true)
        #expect(!"\(String(describing: error))".contains("s3cr3t"))
    }

    @Test func `a key in a path of the app's own is in no log and no event`() async throws {
        let (lines, events) = (Seen<String>(), Seen<String>())
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [AuthorizationInterceptor(.apiKey("s3cr3t", queryItem: "appid"))]
            $0.logger = LineHandler.logger(lines, level: .debug)
        }
        client.observeRequests(for: events) { $0.note("\($1)") }
        _ = try await client.enqueue(
            .get("users", query: ["page": 2, "appid": "s3cr3t"]), as: [User].self
        ).value
        let all = lines.values + events.values
        #expect(!lines.values.isEmpty && !events.values.isEmpty)
        #expect(!all.contains { $0.contains("s3cr3t") })
    }

    private struct Feed: Wrapper {
        var next: String?
        @Stored var users: Many<User>
    }

    @Test(arguments: [
        ("?page=2", "/users?page=2&appid=k"), ("?page=2&appid=k", "/users?page=2&appid=k"),
        ("?appid=k", "/users?appid=k"),
    ])
    func `a place without a path is that of its list, whatever key is added`(
        _ next: String, _ expected: String
    ) async throws {
        let paths = Seen<String>()
        let client = try TestClient.client(
            over: StubTransport { request in
                let isFirst = paths.add(request.head.path ?? "") == 0
                return .json(
                    isFirst ? #"{"next": "\#(next)", "users": []}"# : #"{"users": []}"#)
            }
        ) {
            $0.interceptors = [AuthorizationInterceptor(.apiKey("k", queryItem: "appid"))]
        }
        let paging = Paging<Feed>.next { page in
            page.value.next.flatMap { URL(string: $0) }.map { .url($0) }
        }
        _ = try await client.pull(Resource("users"), as: Feed.self, by: paging).value
        #expect(paths.values == ["/users?appid=k", expected])
    }
}
