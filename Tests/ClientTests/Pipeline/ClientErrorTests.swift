import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@Suite struct ClientErrorTests {
    @Test(arguments: [400, 404, 500, 503])
    func `a refused status carries status, fields and content`(_ code: Int) async throws {
        let body = #"{"message": "no", "token": "secret-value"}"#
        let server = try await LoopbackServer { _ in
            .json(body, status: .init(code: code), headerFields: [.retryAfter: "3"])
        }
        let client = try TestClient.client(at: server.baseURL)
        let users: Promise<Many<User>> = client.enqueue(Resource("users?api_key=hidden"))
        let error = try #require(
            await #expect(throws: ClientError.self) { try await users.value })
        #expect(error.reason == .unacceptableStatus)
        #expect(error.status?.code == code)
        #expect(error.headerFields?[.retryAfter] == "3")
        #expect(error.body == Data(body.utf8))
        #expect(error.method == .get)
        #expect(error.url == "\(server.baseURL)users?api_key=…")
        let text = "\(error)"
        #expect(text.contains("\(code)"))
        #expect(text.contains("GET \(server.baseURL)users"))
        #expect(text.contains("\"message\": \"no\""))
        #expect(!text.contains("hidden"))
        #expect(!text.contains("secret-value"))
        #expect(error.localizedDescription == text)
        await server.stop()
    }

    @Test func `a redirect is a status like another`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json("", status: .found, headerFields: [.location: "/x"])))
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .found)
    }

    @Test func `a server that is not there is an error of the transport`() async throws {
        // A port that no other server is ever given, as one that has been let go may be.
        let baseURL = try #require(URL(string: "http://127.0.0.1:1/"))
        let client = try TestClient.client(at: baseURL)
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .transport)
        #expect(error?.status == nil)
        let underlying = try #require(error?.underlying as? TransportError)
        #expect(underlying.reason == .cannotConnect)
        #expect(underlying.code != nil && !underlying.message.isEmpty)
    }

    @Test(arguments: [
        "", "h/a", "ftp://h/", "http://", "http://u:p@h/", "http://h\r\n/", "nonsense",
    ])
    func `a base URL that is none rejects what is enqueued`(_ baseURL: String) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport, at: baseURL)
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a path that cannot be sent rejects before anything is sent`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(Resource("a\r\nX: y"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect((error?.underlying as? TransportError)?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a body that cannot be encoded rejects before anything is sent`() async throws {
        struct Unencodable: Endpoint {
            let path = "a"
            var body: RequestBody? { .json([Double.infinity]) }
        }
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(Unencodable())
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.underlying is EncodingError)
        #expect(transport.requests.isEmpty)
    }

    @Test func `an empty response is an error where a value is expected`() async throws {
        let client = try TestClient.client(answering: "")
        let stored: Promise<Many<User>> = client.enqueue(Resource("a"))
        let decoded: Promise<Plain> = client.enqueue(Resource("a"))
        let document: Promise<JSONDocument> = client.enqueue(Resource("a"))
        for error in [
            await #expect(throws: ClientError.self) { try await stored.value },
            await #expect(throws: ClientError.self) { try await decoded.value },
            await #expect(throws: ClientError.self) { try await document.value },
        ] {
            #expect(error?.reason == .emptyBody)
        }
        try await client.enqueue(Resource("a")).then { () in }.value
        let data: Data = try await client.enqueue(Resource("a")).value
        #expect(data.isEmpty)
        let text: String = try await client.enqueue(Resource("a")).value
        #expect(text.isEmpty)
    }

    @Test(arguments: [200, 204, 304])
    func `an optional is nil where the response is empty`(_ code: Int) async throws {
        let response = TransportResponse(head: HTTPResponse(status: .init(code: code)))
        let client = try TestClient.client(over: StubTransport(response)) { $0.validators = [] }
        let user: User? = try await client.enqueue(Resource("a")).value
        #expect(user == nil)
        let users: Response<Many<User>?> = try await client.enqueue(Resource("a")).value
        #expect(users.value == nil)
        #expect(users.status.code == code)
        let list: [User]? = try await client.enqueue(Resource("a")).value
        #expect(list == nil)
        let plain: [String: Int]? = try await client.enqueue(Resource("a")).value
        #expect(plain == nil)
        let data: Data? = try await client.enqueue(Resource("a")).value
        #expect(data == nil)
        let text: String? = try await client.enqueue(Resource("a")).value
        #expect(text == nil)
    }

    @Test func `an optional has a value where the response has one`() async throws {
        let client = try TestClient.client(answering: #"{"id": 1, "login": "a"}"#)
        let user: User? = try await client.enqueue(Resource("a")).value
        #expect(user?.login == "a")
        let text: String? = try await client.enqueue(Resource("a")).value
        #expect(text == #"{"id": 1, "login": "a"}"#)
        let data: Data? = try await client.enqueue(Resource("a")).value
        #expect(data?.count == 23)
        let null: User? = try await TestClient.client(answering: "null").enqueue(Resource("a"))
            .value
        #expect(null == nil)
    }

    @Test func `what a mapping error quotes is no secret`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "a", "token": 5}]"#)
        let plain: Promise<[Plain]> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await plain.value }
        #expect("\(error, default: "")".contains("DecodingError at"))
        let store = try Store.inMemory(entities: Account.self)
        let accounts = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(
                transport: StubTransport(.json(#"{"id": 1, "password": "hunter2"}"#))))
        let account: Promise<Account> = accounts.enqueue(Resource("a"))
        let refused = await #expect(throws: ClientError.self) { try await account.value }
        let text = "\(refused, default: "")"
        #expect(text.contains("Account.password at $.password: the value does not fit"))
        #expect(!text.contains("hunter2"))
    }

    @Test(arguments: [
        ("password=hunter2", "password=…"), (#"{\"token\": \"hunter2\"}"#, "token"),
        ("see https://ann:hunter2@h/a", "https://…@h/a"), (#"a password\u003dhunter2"#, "password"),
    ])
    func `a value that a mapping error quotes may have a secret in it`(
        _ value: String, _ shown: String
    ) async throws {
        let client = try TestClient.client(answering: #"{"id": "\#(value)", "login": "a"}"#)
        let user: Promise<User> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await user.value }
        let text = "\(error, default: "")"
        #expect(text.contains("User.id at $.id: expected"))
        #expect(text.contains(shown))
        #expect(!text.contains("hunter2"))
    }

    @Test func `content is encoded off the thread that enqueues`() async throws {
        struct Slow: Endpoint {
            let path = "a"
            let method = HTTPRequest.Method.post
            let gate: Gate
            var body: RequestBody? {
                RequestBody(contentType: nil) { [gate] in
                    try gate.block()
                    return Data("x".utf8)
                }
            }
        }
        let gate = Gate()
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(Slow(gate: gate))
        let other: Promise<Void> = client.enqueue(Slow(gate: gate))
        other.cancel()
        #expect(transport.requests.isEmpty)
        gate.open()
        try await promise.value
        #expect(transport.requests.map(\.body) == [Data("x".utf8)])
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test func `a response that does not fit a decodable type says where`() async throws {
        let client = try TestClient.client(answering: #"{"token": 1}"#)
        let promise: Promise<Plain> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .undecodable)
        #expect(error?.underlying is DecodingError)
    }

    @Test func `text that is not UTF-8 is no String`() async throws {
        let response = TransportResponse(
            head: HTTPResponse(status: .ok), body: Data([0x66, 0xFF]))
        let client = try TestClient.client(over: StubTransport(response))
        let text: Promise<String> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await text.value }
        #expect(error?.reason == .undecodable)
        let data: Data = try await client.enqueue(Resource("a")).value
        #expect(data.count == 2)
    }

    @Test func `a response without a value has to be what it claims`() async throws {
        func outcome(_ text: String, _ type: String) async throws -> Bool {
            let client = try TestClient.client(
                over: StubTransport(.json(text, headerFields: [.contentType: type])))
            let promise: Promise<Void> = client.enqueue(Resource("a"))
            return await promise.result.isSuccess
        }
        #expect(try await outcome("{}", "application/json"))
        #expect(try await !outcome("{", "application/json; charset=utf-8"))
        #expect(try await !outcome("{", "application/problem+json"))
        #expect(try await outcome("OK", "text/plain"))
    }
}

@Entity private struct Account {
    @Identity var id: Int
    var password: Int
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
