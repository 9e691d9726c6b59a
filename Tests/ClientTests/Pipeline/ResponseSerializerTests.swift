import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// From the endpoint to the rows, over real connections.
@Suite(.platformTransport) struct ResponseSerializerTests {
    @Test func `waiting for another response where one is stored is an error`() async throws {
        let errors = Seen<PromiseError?>()
        let gate = Gate()
        let client = try TestClient.client(
            over: StubTransport { _ in
                try? await gate.wait()
                return .json(#"[{"id": 1, "login": "ann"}]"#)
            })
        let promise: Promise<Many<User>> = client.enqueue(Resource("a"))
        let waiting = promise.then(on: .immediate) { (_: Many<User>) in
            let other: Promise<Many<User>> = client.enqueue(Resource("b"))
            do {
                _ = try other.wait(timeout: .seconds(300))
                errors.note(nil)
            } catch {
                errors.note(error as? PromiseError)
            }
        }
        gate.open()
        try await waiting.value
        #expect(errors.values == [.wouldDeadlock])
    }

    static let articles = #"""
        [
          {"id": 1, "title": "One", "author": {"id": 7, "login": "ann"},
           "tags": [{"name": "swift"}, {"name": "sql"}]},
          {"id": 2, "title": "Two", "author": {"id": 7, "login": "ann"}, "tags": [{"name": "sql"}]},
          {"id": 3, "title": "Three", "author": {"id": 8, "login": "bob"}, "tags": []}
        ]
        """#

    @Test func `objects are rows by the time then runs`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.articles) }
        let client = try TestClient.client(at: server.baseURL)
        let store = client.store
        let counts = client.enqueue(Resource("articles")).then { (articles: Many<Article>) in
            [
                try articles.count, try store.count(Article.all), try store.count(User.all),
                try store.count(Tag.all),
            ]
        }
        #expect(try await counts.value == [3, 3, 2, 2])
        let first = try #require(try store.first(Article.where { $0.id == 1 }))
        #expect(try first.author.fetch().login == "ann")
        #expect(try first.tags.fetch().map(\.name) == ["swift", "sql"])
        await server.stop()
    }

    @Test func `the same again changes nothing, and says so`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.articles) }
        let client = try TestClient.client(at: server.baseURL)
        let first: Response<Many<Article>> = try await client.enqueue(Resource("a")).value
        #expect(first.report.total.inserted == 7)
        #expect(first.report.entities["Article"]?.linked == 3)
        let second: Response<Many<Article>> = try await client.enqueue(Resource("a")).value
        #expect(second.report.total.inserted == 0)
        #expect(second.report.total.updated == 0)
        #expect(second.report.total.unchanged == 7)
        #expect(second.report.total.linked == 0)
        #expect(try client.store.count(Article.all) == 3)
        await server.stop()
    }

    @Test func `one object, a wrapper and a list of wrappers are stored`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/user", .json(#"{"id": 1, "login": "ann"}"#))
        server.route(.get, "/login", .json(#"{"token": "t", "user": {"id": 2, "login": "bob"}}"#))
        server.route(.get, "/logins", .json(#"[{"token": "u", "user": {"id": 3, "login": "cy"}}]"#))
        let client = try TestClient.client(at: server.baseURL)
        let user: User = try await client.enqueue(Resource("user")).value
        #expect(user == User(id: 1, login: "ann"))
        let logIn: LogIn = try await client.enqueue(Resource("login")).value
        #expect(logIn.user.login == "bob")
        let logIns: Many<LogIn> = try await client.enqueue(Resource("logins")).value
        #expect(logIns.values.map(\.token) == ["u"])
        #expect(try client.store.fetch(User.all).map(\.id).sorted() == [1, 2, 3])
        await server.stop()
    }

    @Test func `what is only decoded leaves no rows`() async throws {
        let client = try TestClient.client(
            answering: #"{"token": "t", "user": {"id": 1, "login": "ann"}}"#)
        let plain: Plain = try await client.enqueue(Resource("login")).value
        #expect(plain.user.login == "ann")
        let _: JSONDocument = try await client.enqueue(Resource("login")).value
        let _: Data = try await client.enqueue(Resource("login")).value
        try await client.enqueue(Resource("login")).then { (_: Void) in }.value
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `a response that is cut stores nothing`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.articles.utf8.count)\r\n\r\n"
        for length in stride(from: 0, to: Self.articles.utf8.count, by: 40) {
            let part = String(decoding: Array(Self.articles.utf8).prefix(length), as: UTF8.self)
            let server = try RawServer(sending: head + part)
            defer { server.stop() }
            let client = try TestClient.client(at: server.baseURL)
            let articles: Promise<Many<Article>> = client.enqueue(Resource("articles"))
            let error = await #expect(throws: ClientError.self) { try await articles.value }
            #expect(error?.reason == .transport)
            #expect((error?.underlying as? TransportError)?.reason == .truncatedBody)
            #expect(try client.store.count(Article.all) == 0)
            #expect(try client.store.count(User.all) == 0)
        }
    }

    @Test func `JSON that does not fit the model stores nothing and names the place`() async throws
    {
        let client = try TestClient.client(
            answering: #"[{"id": 1, "login": "ann"}, {"id": 2, "login": ["bob"]}]"#)
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect(error?.reason == .notStored)
        #expect(error?.status == .ok)
        let mapping = try #require(error?.underlying as? MappingError)
        #expect("\(mapping)".contains("User"))
        #expect("\(mapping)".contains("login"))
        #expect("\(mapping)".contains("$[1]"))
        #expect(try client.store.count(User.all) == 0)
    }

    @Test(arguments: ["[{\"id\": 1, \"login\": \"ann\"}", "<html>", "{\"a\" 1}", "[1,]"])
    func `content that is not JSON stores nothing`(_ text: String) async throws {
        let client = try TestClient.client(answering: text)
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect(error?.reason == .malformedJSON)
        #expect(error?.body == Data(text.utf8))
        #expect(error?.underlying is JSONError)
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `what is in the store stays when the server goes`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.articles) }
        let client = try TestClient.client(at: server.baseURL)
        let _: Many<Article> = try await client.enqueue(Resource("articles")).value
        await server.stop()
        let again: Promise<Many<Article>> = client.enqueue(Resource("articles"))
        let error = await #expect(throws: ClientError.self) { try await again.value }
        #expect(error?.reason == .transport)
        #expect(
            try client.store.fetch(Article.all.sorted { $0.id.ascending }).map(\.title)
                == ["One", "Two", "Three"])
    }

    @Test func `many responses at once are all stored`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/users/:id") { request in
            let id = request.parameters["id"] ?? "0"
            return .json(#"{"id": \#(id), "login": "user \#(id)"}"#)
        }
        let client = try TestClient.client(at: server.baseURL)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...200 {
                group.addTask {
                    let user: User = try await client.enqueue(Resource("users/\(id)")).value
                    #expect(user.login == "user \(id)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try client.store.count(User.all) == 200)
        await server.stop()
    }
}
