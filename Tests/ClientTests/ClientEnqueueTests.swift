import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Every way of writing a call that is to compile; the types are the assertion.
@Suite struct ClientEnqueueTests {
    @Test func `the closure chooses what the response becomes`() async throws {
        let client = try TestClient.client(answering: #"{"id": 1, "login": "ann"}"#)
        let promise = client.enqueue(Resource("user"))
            .then { (user: User) in user.login }
            .catch { error in Issue.record(error) }
        #expect(try await promise.value == "ann")
    }

    @Test func `closures may hold several statements`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let logins = client.enqueue(Resource("users"))
            .then { (users: Many<User>) in
                let logins = try users.fetch().map(\.login)
                return logins
            }
            .then { logins in
                let count = logins.count
                return count
            }
            .catch { error in
                let text = "\(error)"
                Issue.record(Comment(rawValue: text))
            }
        #expect(try await logins.value == 1)
    }

    @Test func `a chain whose result nobody uses needs no discarding`() async throws {
        let gate = Gate()
        let client = try TestClient.client(answering: "[]")
        client.enqueue(Resource("users")).then { (users: Many<User>) in
            gate.open()
        }.catch { error in
            Issue.record(error)
        }
        try await gate.wait()
    }

    @Test func `the variable chooses what the response becomes`() async throws {
        let client = try TestClient.client(
            answering: #"{"token": "t", "user": {"id": 1, "login": "ann"}}"#)
        let promise: Promise<LogIn> = client.enqueue(Resource("login"))
        #expect(try await promise.value.token == "t")
    }

    @Test func `await chooses what the response becomes`() async throws {
        let client = try TestClient.client(
            answering: #"{"token": "t", "user": {"id": 1, "login": "ann"}}"#)
        let logIn: LogIn = try await client.enqueue(Resource("login")).value
        #expect(logIn.token == "t")
        let plain: Plain = try await client.enqueue(Resource("login")).value
        #expect(plain.token == "t")
    }

    @Test func `a response without a value needs no annotation of its own`() async throws {
        let client = try TestClient.client(answering: "")
        let gate = Gate()
        client.enqueue(Resource("ping")).then { () in gate.open() }
        try await gate.wait()
        try await client.enqueue(Resource("ping")).then { (_: Void) in }.value
        let promise: Promise<Void> = client.enqueue(Resource("ping"))
        try await promise.value
    }

    @Test func `lists, optionals and raw content are chosen alike`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let array: [User] = try await client.enqueue(Resource("users")).value
        #expect(array.map(\.login) == ["ann"])
        let optional: [User]? = try await client.enqueue(Resource("users")).value
        #expect(optional?.count == 1)
        let document: JSONDocument = try await client.enqueue(Resource("users")).value
        #expect(document.root.count == 1)
        let data: Data = try await client.enqueue(Resource("users")).value
        #expect(data.count == 27)
        let text: String = try await client.enqueue(Resource("users")).value
        #expect(text.count == 27)
        let plain: [Plain.User] = try await client.enqueue(Resource("users")).value
        #expect(plain.map(\.login) == ["ann"])
    }

    @Test func `a parameter chooses what the response becomes`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let logins = client.enqueue(Resource("users"), as: [User].self).then { $0.map(\.login) }
        #expect(try await logins.value == ["ann"])
        let plain = client.enqueue(Resource("users"), as: [Plain.User].self)
        #expect(try await plain.value.map(\.login) == ["ann"])
        let document = client.enqueue(Resource("users"), as: JSONDocument.self)
        #expect(try await document.value.root.count == 1)
        let response = client.enqueue(Resource("users"), as: Response<Data>.self)
        #expect(try await response.value.status == .ok)
    }

    @Test func `a response that nothing says a type of is void`() async throws {
        let client = try TestClient.client(answering: "")
        client.enqueue(Resource("ping"))
        try await client.enqueue(Resource("ping")).value
        #expect(type(of: client.enqueue(Resource("ping"))) == Promise<Void>.self)
    }

    @Test func `a response carries the same with its status`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let stored: Response<Many<User>> = try await client.enqueue(Resource("users")).value
        #expect(stored.status == .ok)
        let decoded: Response<[Plain.User]> = try await client.enqueue(Resource("users")).value
        #expect(decoded.value.count == 1)
        let document: Response<JSONDocument> = try await client.enqueue(Resource("users")).value
        #expect(document.value.root.count == 1)
        let empty: Response<Void> = try await client.enqueue(Resource("users")).value
        #expect(empty.status == .ok)
        let data: Response<Data> = try await client.enqueue(Resource("users")).value
        #expect(data.value.count == 27)
    }

    @Test func `an endpoint's own response needs no annotation`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let count = client.enqueue(AllUsers()).then { users in try users.fetch().count }
        #expect(try await count.value == 1)
        let users = try await client.enqueue(AllUsers()).value
        #expect(try users.fetch().count == 1)
        let plain = try await client.enqueue(PlainUsers()).value
        #expect(plain.first?.login == "ann")
        try await client.enqueue(Ping()).value
        let document = try await client.enqueue(AnyJSON()).value
        #expect(document.root.count == 1)
        let other: Data = try await client.enqueue(AllUsers()).value
        #expect(other.count == 27)
    }

    @Test func `an endpoint's own wrapper is stored`() async throws {
        let json = #"{"token": "t", "user": {"id": 1, "login": "ann"}}"#
        let client = try TestClient.client(answering: json)
        let logIn = try await client.enqueue(LogInEndpoint()).value
        #expect(logIn.token == "t")
        let token = client.enqueue(LogInEndpoint()).then { logIn in logIn.token }
        #expect(try await token.value == "t")
    }

    @Test func `a cancellable comes with every kind of response`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let users: CancellablePromise<Many<User>> = client.cancellableEnqueue(Resource("users"))
        let plain: CancellablePromise<[Plain.User]> = CancellablePromise(
            client.enqueue(Resource("users")))
        let empty = CancellablePromise(client.enqueue(Resource("users")))
        users.promise.then { (users: Many<User>) in print(users) }
        #expect(try await users.promise.value.fetch().count == 1)
        #expect(try await plain.promise.value.count == 1)
        let fixed = CancellablePromise(client.enqueue(AllUsers()))
        #expect(try await fixed.promise.value.fetch().count == 1)
        try await empty.promise.value
        users.cancel()
    }
}

private struct AllUsers: RespondingEndpoint {
    typealias Response = Many<User>
    let path = "users"
}

private struct PlainUsers: RespondingEndpoint {
    typealias Response = [Plain.User]
    let path = "users"
}

private struct AnyJSON: RespondingEndpoint {
    typealias Response = JSONDocument
    let path = "users"
}

private struct LogInEndpoint: RespondingEndpoint {
    typealias Response = LogIn
    let path = "login"
}

private struct Ping: RespondingEndpoint {
    typealias Response = Void
    let path = "ping"
}
