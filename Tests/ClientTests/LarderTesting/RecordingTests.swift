import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Exchanges that are recorded, kept in a file, and played back.
@Suite struct RecordingTests {
    private func exchange(
        _ url: String, _ text: String, method: HTTPRequest.Method = .get, body: Data? = nil
    ) -> Recording.Exchange {
        Recording.Exchange(
            request: Recording.Request(method: method, url: url, body: body),
            outcome: .response(HTTPResponse(status: .ok), body: Data(text.utf8)))
    }

    private func request(
        _ path: String, method: HTTPRequest.Method = .get, body: Data? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: "h", path: path),
            body: body)
    }

    private func text(_ transport: some Transport, _ request: TransportRequest) async throws
        -> String
    {
        String(decoding: try await transport.response(to: request).body, as: UTF8.self)
    }

    // MARK: Over a server

    @Test func `what a server answered is answered without it`() async throws {
        let server = try await LoopbackServer()
        let (user, echo) = (Data(#"{"id": 1, "login": "a"}"#.utf8), Data([0, 0xFF, 10]))
        server.route(.get, "/users/1") { _ in .json(String(decoding: user, as: UTF8.self)) }
        server.route(.post, "/echo") { .json(String(decoding: $0.body, as: UTF8.self)) }
        let requests: [TransportRequest] = [
            .to(server.baseURL, "/users/1"), .to(server.baseURL, "/none"),
            .to(server.baseURL, "/echo", method: .post, body: Data("x".utf8)),
            .to(server.baseURL, "/echo", method: .post, body: echo),
            .to(server.baseURL, "/users/1"),
        ]
        let recorder = RecordingTransport(through: PlatformTransport())
        var answers: [TransportResponse] = []
        for request in requests { answers.append(try await recorder.response(to: request)) }
        await server.stop()

        let file = try TemporaryFile(named: "recording.json", Data())
        try recorder.recording.write(to: file.url)
        let recording = try Recording(contentsOf: file.url)
        #expect(recording == recorder.recording)
        let stub = StubTransport(playing: recording)
        for (request, answer) in zip(requests, answers) {
            let played = try await stub.response(to: request)
            #expect(played.head == answer.head)
            #expect(played.body == answer.body)
        }
    }

    @Test func `a client stores what is played to it`() async throws {
        let recording = Recording([
            exchange("http://test.invalid/users", #"[{"id": 1, "login": "a"}]"#)
        ])
        let client = try TestClient.client(over: StubTransport(playing: recording))
        let users = try await client.enqueue(Resource("users"), as: [User].self).value
        #expect(users == [User(id: 1, login: "a")])
        #expect(try client.store.fetch(User.all) == users)
    }

    // MARK: What is recorded

    @Test func `secrets in header fields and queries are not`() async throws {
        let stub = StubTransport(
            .json("[]", headerFields: [.setCookie: "sid=s3cret", .eTag: "\"1\""]))
        let recorder = RecordingTransport(
            through: stub, redaction: Redaction(names: ["tenant"]))
        var request = request("/a?token=s3cret&page=2&tenant=s3cret")
        request.head.headerFields = [.authorization: "Bearer s3cret", .cookie: "sid=s3cret"]
        _ = try await recorder.response(to: request)

        let file = try TemporaryFile(named: "recording.json", Data())
        try recorder.recording.write(to: file.url)
        let text = try String(contentsOf: file.url, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        #expect(text.contains("page=2"))
        let outcome = recorder.recording.exchanges.first?.outcome
        let fields: HTTPFields = [.eTag: "\"1\"", .contentType: "application/json"]
        let head = HTTPResponse(status: .ok, headerFields: fields)
        #expect(outcome == .response(head, body: Data("[]".utf8)))
        // Whatever the secret is that time.
        request.head.path = "/a?token=other&page=2&tenant=another"
        let player = StubTransport(
            playing: recorder.recording, redaction: Redaction(names: ["tenant"]))
        #expect(try await player.response(to: request).head.status == .ok)
    }

    @Test func `what a credential makes secret is not, and is found again with another one`()
        async throws
    {
        let location = "http://test.invalid/b?tenant=hunter2"
        let recorder = RecordingTransport(
            through: StubTransport(.json("[]", headerFields: [.location: location])))
        func client(_ key: String, over transport: any Transport) throws -> Client {
            try TestClient.client(over: transport) {
                $0.interceptors = [
                    AuthorizationInterceptor(.apiKey(key, queryItem: "tenant"))
                ]
            }
        }
        let first = try client("hunter2", over: recorder)
        _ = try await first.enqueue(Resource("a"), as: String.self).value
        #expect(
            recorder.recording.exchanges.map(\.request.url) == ["http://test.invalid/a?tenant=…"])
        // A server may say it as well.
        guard case .response(let head, _)? = recorder.recording.exchanges.first?.outcome else {
            return #expect(Bool(false), "no response is recorded")
        }
        #expect(head.headerFields[.location] == "http://test.invalid/b?tenant=…")
        let second = try client("other", over: StubTransport(playing: recorder.recording))
        #expect(try await second.enqueue(Resource("a"), as: String.self).value == "[]")
    }

    @Test func `errors are, but what was cancelled or is under way is not`() async throws {
        let held = HeldTransport()
        let recorder = RecordingTransport(through: held)
        let lost = TransportError(.connectionLost, "Lost.", code: 55)
        recorder.send(request("/lost")) { _ in }
        recorder.send(request("/cancelled")) { _ in }.cancel()
        recorder.send(request("/open")) { _ in }
        held.end(0, .failure(lost))
        #expect(recorder.recording.exchanges.map(\.request.url) == ["http://h/lost"])
        let played = StubTransport(playing: recorder.recording)
        #expect(await played.error(of: request("/lost")) == lost)
    }

    @Test func `they stand in the order in which they were begun`() async throws {
        let held = HeldTransport()
        let recorder = RecordingTransport(through: held)
        for path in ["/a", "/b", "/c"] { recorder.send(request(path)) { _ in } }
        for number in [2, 0, 1] { held.end(number, .success(.json("\(number)"))) }
        #expect(
            recorder.recording.exchanges.map(\.request.url)
                == ["http://h/a", "http://h/b", "http://h/c"])
    }

    // MARK: Playing

    @Test func `equal requests get their answers in turn, others theirs`() async throws {
        let stub = StubTransport(
            playing: Recording([
                exchange("http://h/a", "1"), exchange("http://h/b", "2"),
                exchange("http://h/a", "3"),
                exchange("http://h/a", "4", method: .post, body: Data("x".utf8)),
                exchange("http://h/a", "5", method: .post),
            ]))
        #expect(try await text(stub, request("/a")) == "1")
        #expect(try await text(stub, request("/a", method: .post, body: Data())) == "5")
        #expect(try await text(stub, request("/a")) == "3")
        #expect(try await text(stub, request("/a", method: .post, body: Data("x".utf8))) == "4")
        #expect(try await text(stub, request("/b")) == "2")
    }

    @Test func `what was not recorded, or not so often, is an error that names it`() async {
        let stub = StubTransport(playing: Recording([exchange("http://h/a", "1")]))
        let unknown = await stub.error(of: request("/b?token=s3cret"))
        #expect(unknown?.reason == .other)
        #expect(
            unknown?.message == "GET http://h/b?token=… was not recorded with this content.")
        #expect(await stub.error(of: request("/a")) == nil)
        let again = await stub.error(of: request("/a"))
        #expect(again?.message == "GET http://h/a was recorded once, not more.")
    }

    @Test(arguments: [#"{"a":1,"b":[{"c":2,"d":3}]}"#, #" {"b": [{"d":3, "c":2}], "a": 1}"#])
    func `JSON is found again in whichever order its keys are`(_ body: String) async throws {
        let recording = Recording([
            exchange("http://test.invalid/x", "[1]", method: .post, body: Data(body.utf8))
        ])
        let client = try TestClient.client(over: StubTransport(playing: recording))
        let value: KeyValuePairs<String, (any Encodable & Sendable)?> = [
            "a": 1, "b": [["c": 2, "d": 3]],
        ]
        let post = AdHocEndpoint.post("x", body: .json(value))
        #expect(try await client.enqueue(post, as: String.self).value == "[1]")
    }

    @Test(arguments: ["1.0", "[1", "--x\r\n--y--\r\n"])
    func `other content is found as it stands`(_ body: String) async throws {
        let recording = Recording([
            exchange("http://h/a", "1", method: .post, body: Data("\(body) ".utf8)),
            exchange("http://h/a", "2", method: .post, body: Data("1".utf8)),
            exchange("http://h/a", "3", method: .post, body: Data(body.utf8)),
        ])
        let stub = StubTransport(playing: recording)
        let request = request("/a", method: .post, body: Data(body.utf8))
        #expect(try await text(stub, request) == "3")
    }

    @Test func `a form is found again, whose boundary is another each time`() async throws {
        let bytes = Data([0xFF, 0x0D, 0x0A, 0x2D, 0x2D])
        let form = RequestBody.multipart([
            .field("a", "b"), .data("c", bytes, fileName: "d"),
        ])
        let post = AdHocEndpoint.post("x", body: form)
        var recordings: [Recording] = []
        for _ in 0..<2 {
            let recorder = RecordingTransport(through: StubTransport(.json("[1]")))
            let client = try TestClient.client(over: recorder)
            _ = try await client.enqueue(post, as: String.self).value
            recordings.append(recorder.recording)
        }
        #expect(recordings[0] == recordings[1])
        let body = try #require(recordings[0].exchanges.first?.request.body)
        #expect(body.starts(with: Data("--boundary\r\n".utf8)))
        let end = Data("\r\n\r\n".utf8) + bytes + Data("\r\n--boundary--\r\n".utf8)
        #expect(body.suffix(end.count) == end)
        let player = try TestClient.client(over: StubTransport(playing: recordings[0]))
        #expect(try await player.enqueue(post, as: String.self).value == "[1]")
    }

    @Test func `a form without parts is found again, whose boundary is another each time`()
        async throws
    {
        let post = AdHocEndpoint.post("x", body: .multipart([]))
        let recorder = RecordingTransport(through: StubTransport(.json("[1]")))
        _ = try await TestClient.client(over: recorder).enqueue(post, as: String.self).value
        let player = try TestClient.client(over: StubTransport(playing: recorder.recording))
        #expect(try await player.enqueue(post, as: String.self).value == "[1]")
    }

    // MARK: The file

    @Test(arguments: 0..<200)
    func `a recording is the same when it has been written and read`(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let words = ["a", "Ü", ": ", ":", "\"", "\\", "\n", "/", "🥫", "\u{0}", " "]
        func content() -> Data {
            Bool.random(using: &random)
                ? Data(random.word(of: words, upTo: 6).utf8)
                : Data(
                    (0..<Int.random(in: 0...5, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    })
        }
        let exchanges = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let body = content()
            let request = Recording.Request(
                method: [.get, .post, .delete].randomElement(using: &random) ?? .get,
                url: "http://h/\(random.word(of: words, upTo: 3))",
                body: body.isEmpty ? nil : body)
            if Int.random(in: 0...3, using: &random) == 0 {
                return Recording.Exchange(
                    request: request,
                    outcome: .failure(
                        TransportError(
                            [.timedOut, .connectionLost].randomElement(using: &random) ?? .other,
                            random.word(of: words, upTo: 3),
                            code: Bool.random(using: &random) ? 7 : nil)))
            }
            var head = HTTPResponse(
                status: .init(code: Int.random(in: 100...999, using: &random)))
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                guard
                    let name = HTTPField.Name(
                        ["a", "B-c", "etag"].randomElement(using: &random) ?? "")
                else { continue }
                head.headerFields.append(
                    HTTPField(name: name, value: random.word(of: ["a", ": ", ":", "é"], upTo: 4)))
            }
            return Recording.Exchange(request: request, outcome: .response(head, body: content()))
        }
        let recording = Recording(exchanges)
        let file = try TemporaryFile(named: "recording.json", Data())
        try recording.write(to: file.url)
        #expect(try Recording(contentsOf: file.url) == recording)
    }

    @Test(arguments: [
        "", "[]", #"{"version": 2, "exchanges": []}"#, #"{"exchanges": []}"#,
        #"{"version": 1, "exchanges": [{"method": "G T", "url": "http://h/", "status": 200}]}"#,
        #"{"version": 1, "exchanges": [{"method": "GET", "url": "http://h/"}]}"#,
        #"{"version": 1, "exchanges": [{"method": "GET", "url": "http://h/", "status": 20}]}"#,
        #"{"version": 1, "exchanges": [{"method": "GET", "url": "", "status": 200, "headerFields": ["a"]}]}"#,
    ])
    func `a file that is none is an error`(_ text: String) throws {
        let file = try TemporaryFile(named: "recording.json", Data(text.utf8))
        #expect(throws: DecodingError.self) { try Recording(contentsOf: file.url) }
    }

    @Test func `a file that is not there is an error`() {
        #expect(throws: CocoaError.self) {
            try Recording(contentsOf: URL(filePath: "/nowhere/recording.json"))
        }
    }

    @Test func `a download is played back with its content`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\n0123")
        defer { server.stop() }
        let folder = try TemporaryFile(named: "marker", Data())
        let file = folder.url.deletingLastPathComponent().appending(path: "file")
        let recorder = RecordingTransport(through: PlatformTransport())
        var configuration = Client.Configuration(transport: recorder)
        let client = Client(
            baseURL: server.baseURL, store: try TestClient.store(), configuration: configuration)
        _ = try await client.download(.get("x"), to: file).value
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123")
        configuration.transport = StubTransport(playing: recorder.recording)
        let replay = Client(
            baseURL: server.baseURL, store: try TestClient.store(), configuration: configuration)
        _ = try await replay.download(.get("x"), to: file, replacing: true).value
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123")
    }

    @Test(arguments: ["</users?page=2&appid=K>; rel=\"next\"", "<?appid=K&page=2>; rel=next"])
    func `pages by links with a key are played back to the last`(_ link: String) async throws {
        let server = StubTransport { request in
            let path = request.head.path ?? ""
            return path.contains("page=2")
                ? .json(#"[{"id": 2, "login": "b"}]"#)
                : .json(
                    #"[{"id": 1, "login": "a"}]"#, headerFields: [.named("Link"): link])
        }
        func pull(over transport: any Transport) async throws -> Int {
            let client = try TestClient.client(over: transport) {
                $0.interceptors = [AuthorizationInterceptor(.apiKey("K", queryItem: "appid"))]
            }
            _ = try await client.pull(Resource("users"), as: Many<User>.self).value
            return try client.store.count(User.all)
        }
        let recorder = RecordingTransport(through: server)
        #expect(try await pull(over: recorder) == 2)
        #expect(
            !String(decoding: try JSONEncoder().encode(recorder.recording), as: UTF8.self)
                .contains("appid=K"))
        #expect(try await pull(over: StubTransport(playing: recorder.recording)) == 2)
    }

    @Test func `a long header field is recorded whole`() async throws {
        let value = String(repeating: "a", count: 10_000)
        let recorder = RecordingTransport(
            through: StubTransport(.json("[]", headerFields: [.named("X-Long"): value])))
        _ = try await recorder.response(to: request("/"))
        let played = try await StubTransport(playing: recorder.recording)
            .response(to: request("/"))
        #expect(played.head.headerFields[.named("X-Long")] == value)
    }
}
