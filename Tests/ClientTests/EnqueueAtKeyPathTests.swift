import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// What stands at a key path of a response becomes what is asked for.
@Suite struct EnqueueAtKeyPathTests {
    private static let envelope = #"""
        {"data": {"items": [{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}], "none": null,
                  "total": 2, "text": "a\"b", "bytes": "/w=="},
         "logIn": {"token": "t", "user": {"id": 3, "login": "eve"}},
         "a.b": 1, "": {"": 5}, "list": [{"x": 1}]}
        """#

    private let client: Client

    init() throws {
        client = try TestClient.client(answering: Self.envelope)
    }

    @Test func `objects are stored from where they stand`() async throws {
        let users = try await client.enqueue(
            Resource("x"), as: [User].self, at: "data.items"
        ).value
        #expect(users.map(\.login) == ["ann", "bob"])
        #expect(try client.store.count(User.all) == 2)
        let many = try await client.enqueue(
            .get("x"), as: Many<User>.self, at: "data.items"
        ).value
        #expect(try many.count == 2)
        let logIn = try await client.enqueue(.get("x"), as: LogIn.self, at: "logIn").value
        #expect(logIn.token == "t" && logIn.user.login == "eve")
        let named = try await client.enqueue(.get("x"), at: "logIn.user")
            .then { (user: User) in user.login }.value
        #expect(named == "eve")
    }

    @Test func `other values are decoded from there`() async throws {
        struct Page: Decodable, Sendable {
            var total: Int
        }
        #expect(try await client.enqueue(.get("x"), as: Page.self, at: "data").value.total == 2)
        #expect(try await client.enqueue(.get("x"), as: Int.self, at: "data.total").value == 2)
        #expect(try await client.enqueue(.get("x"), as: Int.self, at: ".").value == 5)
        #expect(
            try await client.enqueue(.get("x"), as: String.self, at: "data.text").value == "a\"b")
        let bytes = try await client.enqueue(.get("x"), as: Data.self, at: "data.bytes").value
        #expect(bytes == Data([255]))
        let tree = try await client.enqueue(
            .get("x"), as: JSONDocument.self, at: "data.items"
        ).value
        #expect(tree.root.count == 2 && tree.root.path == "$")
    }

    @Test func `without a key path text and bytes are the content as ever`() async throws {
        #expect(try await client.enqueue(.get("x"), as: String.self).value == Self.envelope)
        #expect(
            try await client.enqueue(.get("x"), as: Data.self).value == Data(Self.envelope.utf8))
    }

    @Test func `status, header fields and report come along`() async throws {
        let response = try await client.enqueue(
            .get("x"), as: Response<[User]>.self, at: "data.items"
        ).value
        #expect(response.status == .ok && response.value.count == 2)
        #expect(response.report.total.inserted == 2)
        let total = try await client.enqueue(
            .get("x"), as: Response<Int>.self, at: "data.total"
        ).value
        #expect(total.value == 2)
        let tree = try await client.enqueue(
            .get("x"), as: Response<JSONDocument>.self, at: "list"
        ).value
        #expect(tree.value.root.count == 1)
    }

    @Test func `what can be cancelled is taken from there, too`() async throws {
        let users = client.cancellableEnqueue(.get("x"), as: [User].self, at: "data.items")
        #expect(try await users.promise.value.count == 2)
    }

    @Test(arguments: [
        "nothing", "data.items.0", "data.nothing", "data.total.x", "list.x", "data.", "a.b",
    ])
    func `where nothing stands there, the error says so and nothing is stored`(
        _ keyPath: String
    ) async throws {
        for promise in [
            client.enqueue(.get("x"), as: [User].self, at: keyPath).then { _ in },
            client.enqueue(.get("x"), as: User?.self, at: keyPath).then { _ in },
            client.enqueue(.get("x"), as: Plain.self, at: keyPath).then { _ in },
            client.enqueue(.get("x"), as: JSONDocument.self, at: keyPath).then { _ in },
        ] {
            let error = await #expect(throws: ClientError.self, "\(keyPath)") {
                try await promise.value
            }
            #expect(error?.reason == .undecodable)
            #expect(error?.status == .ok)
            #expect(error?.body == Data(Self.envelope.utf8))
        }
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `null there is nil, where the type has it`() async throws {
        #expect(try await client.enqueue(.get("x"), as: User?.self, at: "data.none").value == nil)
        #expect(try await client.enqueue(.get("x"), as: Int?.self, at: "data.none").value == nil)
        let promise = client.enqueue(.get("x"), as: User.self, at: "data.none")
        await #expect(throws: ClientError.self) { try await promise.value }
    }

    @Test func `what stands there and does not fit is refused as ever`() async throws {
        let stored = client.enqueue(.get("x"), as: [User].self, at: "data.total")
        let error = await #expect(throws: ClientError.self) { try await stored.value }
        #expect(error?.reason == .notStored)
        let decoded = client.enqueue(.get("x"), as: Int.self, at: "data.text")
        let other = await #expect(throws: ClientError.self) { try await decoded.value }
        #expect(other?.reason == .undecodable)
    }

    @Test func `an endpoint says where its response is`() async throws {
        struct Users: RespondingEndpoint {
            typealias Response = Many<User>
            let path = "x"
            static var serializer: ResponseSerializer<Response> { .stored(at: "data.items") }
        }
        struct Total: RespondingEndpoint {
            typealias Response = LarderClient.Response<Int>
            let path = "x"
            static var serializer: ResponseSerializer<Response> {
                ResponseSerializer<Int>.decoded(at: "data.total").withResponse()
            }
        }
        #expect(try await client.enqueue(Users()).value.count == 2)
        #expect(try await client.enqueue(Total()).value.value == 2)
    }

    @Test func `what only generic code calls decodable is stored from there`() async throws {
        func enqueue<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
            try await client.enqueue(.get("x"), as: type, at: "logIn").value
        }
        #expect(try await enqueue(LogIn.self).user.login == "eve")
        #expect(try client.store.count(User.all) == 1)
    }

    @Test func `a response without content is nil, whatever the key path`() async throws {
        let transport = StubTransport(.json(""))
        let client = try TestClient.client(over: transport)
        #expect(try await client.enqueue(.get("x"), as: User?.self, at: "data").value == nil)
        let promise = client.enqueue(.get("x"), as: User.self, at: "data")
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .emptyBody)
    }
}
