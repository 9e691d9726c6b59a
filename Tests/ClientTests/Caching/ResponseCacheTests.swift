import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// A client's cache, over stubs whose every request is counted.
@Suite struct ResponseCacheTests {
    @Test func `without a cache each request is sent`() async throws {
        let transport = StubTransport(CacheSetting.counting())
        let client = try TestClient.client(over: transport)
        for number in ["1", "2"] {
            let response: Response<String> = try await client.enqueue(Resource("x")).value
            #expect(response.value == number && response.source == .network && response.age == nil)
        }
    }

    @Test func `what is fresh is used, and says where it comes from and how old it is`()
        async throws
    {
        let setting = try CacheSetting(CacheSetting.counting())
        #expect(try await setting.get().source == .network)
        setting.clock.pass(59.5)
        let kept = try await setting.get()
        #expect(kept.value == "1" && kept.source == .cache && kept.age == .seconds(59.5))
        #expect(kept.headerFields[.age] == "59" && kept.url?.path() == "/x")
        setting.clock.pass(0.5)
        let new = try await setting.get()
        #expect(new.value == "2" && new.source == .network)
        #expect(setting.asked == ["/x", "/x"])
    }

    @Test func `what it has of stored objects says nothing of a version`() async throws {
        let setting = try CacheSetting { _ in
            .json(
                #"{"id": 1, "login": "new"}"#,
                headerFields: [.cacheControl: "max-age=60", .eTag: "\"1\""])
        }
        _ = try await setting.client.enqueue(Resource("x"), as: User.self).value
        try setting.client.store.save(User(id: 1, login: "old"))
        let read: Response<User> = try await setting.client.enqueue(Resource("x")).value
        #expect(read.source == .cache && read.value.login == "old")
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(.put("x", ifMatch: .version(of: read))).value as Void
        }
        #expect(error?.reason == .invalidRequest)
        // What is not stored is what it was.
        let content: Response<String> = try await setting.client.enqueue(Resource("x")).value
        #expect(content.source == .cache)
        try await setting.client.enqueue(.put("x", ifMatch: .version(of: content))).value as Void
        #expect(setting.transport.requests.last?.head.headerFields[.ifMatch] == "\"1\"")
    }

    @Test func `what is stale is confirmed, and fresh again`() async throws {
        let setting = try CacheSetting { request in
            let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            if request.head.headerFields[.ifNoneMatch] == "\"1\"" {
                return .json("", status: .notModified, headerFields: fields)
            }
            return .json("\"one\"", headerFields: fields)
        }
        _ = try await setting.get()
        setting.clock.pass(61)
        let confirmed = try await setting.get()
        #expect(confirmed.value == "\"one\"" && confirmed.source == .revalidated)
        #expect(confirmed.status == .ok)
        #expect(try await setting.get().source == .cache)
        #expect(setting.asked.count == 2)
    }

    @Test func `objects of what is kept are stored as any, and an unchanged import writes nothing`()
        async throws
    {
        let setting = try CacheSetting { _ in
            .json(#"[{"id": 1, "login": "ann"}]"#, headerFields: [.cacheControl: "max-age=60"])
        }
        let first: Response<Many<User>> = try await setting.client.enqueue(Resource("users")).value
        let second: Response<Many<User>> = try await setting.client.enqueue(Resource("users")).value
        #expect(second.source == .cache && first.report.total.inserted == 1)
        #expect(second.report.total.inserted == 0 && second.report.total.updated == 0)
        #expect(try second.value.fetch().map(\.login) == ["ann"])
    }

    // MARK: Accounts and secrets

    @Test func `accounts never share, whichever field tells them apart`() async throws {
        let setting = try CacheSetting(CacheSetting.counting())
        let names: [HTTPField.Name] = [.authorization, .cookie, .named("X-Api-Key")]
        for name in names {
            for value in ["ann", "bob"] {
                for _ in 0..<2 {
                    let endpoint = AdHocEndpoint(.get, "x", headerFields: [name: value])
                    let _: Response<String> = try await setting.client.enqueue(endpoint).value
                }
            }
        }
        #expect(setting.asked.count == 6)
        _ = try await setting.get()
        #expect(setting.asked.count == 7, "nor does nobody")
    }

    @Test func `no credential is in the file, nor a secret of the URL, nor a cookie`() async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try CacheSetting(in: store) { _ in
            .json(
                "1",
                headerFields: [
                    .cacheControl: "max-age=60", .setCookie: "sid=sesame4", .vary: "X-Vary",
                    .named("X-Token"): "sesame5",
                ])
        }
        let endpoint = AdHocEndpoint(
            .get, "x?token=sesame1",
            headerFields: [
                .authorization: "Bearer sesame2", .cookie: "sesame3", .named("X-Vary"): "sesame6",
            ])
        let _: Response<String> = try await setting.client.enqueue(endpoint).value
        _ = try await setting.cache.settled().value
        let kept: Response<String> = try await setting.client.enqueue(endpoint).value
        #expect(kept.source == .cache && !kept.headerFields.contains(.setCookie))
        let path = try #require(store.path)
        for suffix in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(filePath: path + suffix))) ?? Data()
            #expect(bytes.range(of: Data("sesame".utf8)) == nil)
        }
    }

    // MARK: Its place

    @Test func `each hop is kept by itself`() async throws {
        let setting = try CacheSetting { request in
            if request.head.path == "/a" {
                return .json(
                    "", status: .movedPermanently,
                    headerFields: [.location: "/b", .cacheControl: "max-age=60"])
            }
            return .json("1", headerFields: [.cacheControl: "no-store"])
        }
        for _ in 0..<2 {
            let response = try await setting.get("a")
            #expect(response.redirects.map { $0.path() } == ["/a"] && response.source == .network)
        }
        #expect(setting.asked == ["/a", "/b", "/b"])
    }

    @Test func `what has changed something makes what is kept invalid, for all accounts`()
        async throws
    {
        let setting = try CacheSetting { request in
            let fields: HTTPFields =
                request.head.method == .get
                ? [.cacheControl: "max-age=60"] : [.location: "/y", .contentLocation: "http://b/z"]
            return .json("1", headerFields: fields)
        }
        let ann = AdHocEndpoint(.get, "x", headerFields: [.authorization: "ann"])
        for _ in 0..<2 {
            let _: Response<String> = try await setting.client.enqueue(ann).value
            _ = try await setting.get()
            _ = try await setting.get("y")
            try await setting.client.enqueue(.post("x")).value
            _ = try await setting.cache.settled().value
        }
        #expect(setting.asked.count == 8)
    }

    @Test
    func `what was asked for before a change is not kept after it, nor what was before a flush`()
        async throws
    {
        for isFlushed in [false, true] {
            let (isAsked, isFree) = (Gate(), Gate())
            let count = Guarded(0)
            let setting = try CacheSetting { request in
                guard request.head.method == .get else { return .json("1") }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 {
                    isAsked.open()
                    try await isFree.wait()
                }
                return .json("\(number)", headerFields: [.cacheControl: "max-age=60"])
            }
            let old = setting.client.enqueue(Resource("x"), as: String.self)
            try await isAsked.wait()
            if isFlushed {
                try await setting.cache.flush().value
            } else {
                try await setting.client.enqueue(.put("x")).value
            }
            isFree.open()
            #expect(try await old.value == "1")
            let new = try await setting.get()
            #expect(new.value == "2" && new.source == .network)
            #expect(try await setting.get().source == .cache)
        }
    }

    @Test func `what a POST of before a flush brings is not kept`() async throws {
        let (isAsked, isFree) = (Gate(), Gate())
        let setting = try CacheSetting { request in
            guard request.head.method == .post else { return .json("2") }
            isAsked.open()
            try await isFree.wait()
            return .json(
                "1", headerFields: [.cacheControl: "max-age=60", .contentLocation: "/x"])
        }
        let post = setting.client.enqueue(AdHocEndpoint(.post, "x"), as: String.self)
        try await isAsked.wait()
        try await setting.cache.flush().value
        isFree.open()
        _ = try await post.value
        #expect(try await setting.get().source == .network)
    }

    @Test func `a transaction that waits for a request is told so, as without a cache`()
        async throws
    {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        let store = try Store.temporary(
            model: Model(entities: User.self, Article.self, Tag.self), configuration: configuration)
        let setting = try CacheSetting(in: store) { _ in
            .json(#"[{"id": 1, "login": "ann"}]"#, headerFields: [.cacheControl: "max-age=60"])
        }
        func ask() throws {
            try store.write { _ in
                #expect(throws: ClientError.self) {
                    try setting.client.enqueue(Resource("x"), as: Many<User>.self).wait()
                }
            }
        }
        for _ in 0..<2 { try ask() }
        // It is the client's again afterwards.
        _ = try await setting.get()
        #expect(try await setting.get().source == .cache)
    }

    @Test func `a failed change leaves it`() async throws {
        let setting = try CacheSetting(validators: []) { request in
            request.head.method == .get
                ? .json("1", headerFields: [.cacheControl: "max-age=60"])
                : .json("", status: .internalServerError)
        }
        _ = try await setting.get()
        let _: Response<Data> = try await setting.client.enqueue(.post("x")).value
        #expect(try await setting.get().source == .cache)
    }

    @Test func `requests that wait for the same look at it once, and each hears the source`()
        async throws
    {
        let setting = try CacheSetting(
            coalescing: .joining, CacheSetting.counting())
        _ = try await setting.get()
        let promises = (0..<5).map { _ in
            setting.client.enqueue(Resource("x"), as: Response<String>.self)
        }
        for promise in promises { #expect(try await promise.value.source == .cache) }
        #expect(setting.asked.count == 1)
    }

    @Test func `a hit needs no turn in the queue`() async throws {
        let isFree = Gate()
        let setting = try CacheSetting(queue: RequestQueue(maximumRequests: 1)) { request in
            if request.head.path == "/slow" { try await isFree.wait() }
            return .json("1", headerFields: [.cacheControl: "max-age=60"])
        }
        _ = try await setting.get()
        let slow = setting.client.enqueue(Resource("slow"), as: String.self)
        #expect(try await setting.get().source == .cache)
        isFree.open()
        _ = try await slow.value
    }

    @Test func `another version's 304 confirms nothing, and all is asked for anew`() async throws {
        let setting = try CacheSetting { request in
            let fields: HTTPFields = [.cacheControl: "max-age=1", .eTag: "\"1\""]
            guard request.head.headerFields.contains(.ifNoneMatch) else {
                return .json("1", headerFields: fields)
            }
            return .json("", status: .notModified, headerFields: [.eTag: "\"2\""])
        }
        _ = try await setting.get()
        setting.clock.pass(5)
        let response = try await setting.get()
        #expect(response.value == "1" && response.source == .network)
        #expect(setting.asked.count == 3)
    }

    @Test func `the rest of what is begun is asked for, and both are one`() async throws {
        let text = Array("0123456789".utf8)
        let tag = Guarded("\"1\"")
        let setting = try CacheSetting { request in
            let range = request.head.headerFields[.range].flatMap(ByteRange.init)?.positions(in: 10)
            let tag = tag.withLock { $0 }
            let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: tag, .contentType: "a/b"]
            let isSame = request.head.headerFields[.ifRange].map { $0 == tag } ?? true
            guard let range, isSame else {
                return TransportResponse(
                    head: HTTPResponse(status: .ok, headerFields: fields), body: Data(text))
            }
            var head = HTTPResponse(status: .partialContent, headerFields: fields)
            head.headerFields[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/10"
            return TransportResponse(head: head, body: Data(text[range]))
        }
        func part(_ range: String, _ path: String = "x") async throws -> Response<String> {
            let endpoint = AdHocEndpoint(
                .get, URLPath(path), headerFields: [.range: range])
            let response: Response<String> = try await setting.client.enqueue(endpoint).value
            _ = try await setting.cache.settled().value
            return response
        }
        #expect(try await part("bytes=0-3").value == "0123")
        let inner = try await part("bytes=1-2")
        #expect(inner.value == "12" && inner.source == .cache && inner.status == .partialContent)
        #expect(inner.headerFields[.contentRange] == "bytes 1-2/10")
        #expect(try await part("bytes=4-5").source == .network)
        #expect(try await part("bytes=2-5").source == .cache, "both parts are one")
        let whole = try await setting.get()
        #expect(whole.value == "0123456789" && whole.status == .ok)
        #expect(setting.transport.requests.last?.head.headerFields[.range] == "bytes=6-")
        #expect(try await setting.get().source == .cache)
        // Another version is no rest of this one.
        _ = try await part("bytes=0-3", "y")
        tag.withLock { $0 = "\"2\"" }
        #expect(try await setting.get("y").value == "0123456789")
        #expect(try await setting.get("y").source == .cache)
    }

    // MARK: Care

    @Test func `it is flushed by resource, by origin, and whole`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try CacheSetting(in: store, CacheSetting.counting())
        for path in ["x", "y"] { _ = try await setting.get(path) }
        try await setting.client.flushCache(of: Resource("x")).value
        #expect(try await setting.get("x").source == .network)
        #expect(try await setting.get("y").source == .cache)
        try await setting.cache.flush(origin: URL(string: "http://other.invalid/")).value
        #expect(try await setting.get("y").source == .cache)
        try await setting.cache.flush(origin: URL(string: "http://TEST.invalid:80/a"))
            .value
        #expect(try await setting.get("y").source == .network)
        try await setting.cache.flush().value
        #expect(try await setting.get("y").source == .network)
    }

    @Test func `somebody else may keep them`() async throws {
        final class Shelf: ResponseCacheProvider {
            let responses = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
            let calls = Heard()

            func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
                calls.note("find")
                return responses.responses(for: key)
            }
            func keep(
                _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [Int64]
            ) throws {
                calls.note("keep")
                responses.keep(response, for: key, replacing: ids)
            }
            func remove(_ ids: [Int64], of key: ResponseCacheKey) throws {
                calls.note("remove")
                throw CancellationError()
            }
            func removeAll(of resource: [UInt8]) throws { calls.note("invalidate") }
            func removeAll(from origin: String?) throws { calls.note("flush") }
            func removeExpired(at now: Date) throws { calls.note("expire") }
        }
        let shelf = Shelf()
        let client = try TestClient.client(over: StubTransport(CacheSetting.counting())) {
            $0.cache = ResponseCache(provider: shelf)
        }
        let first: Response<String> = try await client.enqueue(Resource("x")).value
        _ = try await client.configuration.cache?.settled().value
        let second: Response<String> = try await client.enqueue(Resource("x")).value
        #expect(first.source == .network && second.source == .cache)
        try await client.configuration.cache?.flush().value
        #expect(Set(shelf.calls.texts) == ["expire", "find", "keep", "flush"])
    }
}
