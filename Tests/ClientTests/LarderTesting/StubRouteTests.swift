import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@Suite struct StubRouteTests {
    private func text(
        _ transport: StubTransport, _ endpoint: AdHocEndpoint
    ) async throws -> String {
        try await TestClient.client(over: transport).enqueue(endpoint, as: String.self).value
    }

    @Test func `the first rule that a request fits answers it`() async throws {
        let transport = StubTransport(routes: [
            .get("users", query: ["page": "2"], .json("two")),
            .get("users", .json("all")),
            .get("users/*", .json("one")),
            .get("files/**", .json("file")),
            .post("users", where: { $0.body?.count == 1 }, .json("short")),
            .post("users", .json("long")),
            .get("**", .json("any")),
        ])
        #expect(try await text(transport, .get("users")) == "all")
        #expect(try await text(transport, .get("users", query: ["page": 2, "a": "b"])) == "two")
        #expect(try await text(transport, .get("users", query: ["page": 3])) == "all")
        #expect(try await text(transport, .get("users/7")) == "one")
        #expect(try await text(transport, .get("files/a/b/c")) == "file")
        #expect(try await text(transport, .get("files")) == "file")
        #expect(try await text(transport, .get("users/7/notes")) == "any")
        #expect(try await text(transport, .post("users", body: .data(Data([1])))) == "short")
        #expect(try await text(transport, .post("users", body: .data(Data([1, 2])))) == "long")
        #expect(transport.requests.count == 9)
    }

    @Test func `answers come in turn, the last one from then on`() async throws {
        let transport = StubTransport(routes: [
            .get("a", .status(503), .failure(.connectionLost), .json("yes"))
        ])
        let first = await #expect(throws: ClientError.self) { try await text(transport, .get("a")) }
        #expect(first?.status?.code == 503)
        let second = await #expect(throws: ClientError.self) {
            try await text(transport, .get("a"))
        }
        #expect((second?.underlying as? TransportError)?.reason == .connectionLost)
        for _ in 0..<3 { #expect(try await text(transport, .get("a")) == "yes") }
    }

    @Test func `requests are answered in the order in which they were sent`() async throws {
        let texts = (0..<200).map { "\($0)" }
        let recording = Recording(
            texts.map {
                .init(
                    request: .init(url: "http://test.invalid/a"),
                    outcome: .response(HTTPResponse(status: .ok), body: Data($0.utf8)))
            })
        let transports = [
            StubTransport(routes: [StubRoute(.get, "a", answers: texts.map { .json($0) })]),
            StubTransport(playing: recording),
        ]
        for transport in transports {
            let client = try TestClient.client(over: transport)
            let promises = texts.map { _ in client.enqueue(.get("a"), as: String.self) }
            var answers: [String] = []
            for promise in promises { answers.append(try await promise.value) }
            #expect(answers == texts)
        }
    }

    @Test func `an answer may never come`() async throws {
        let isAsked = Gate()
        let transport = StubTransport(routes: [
            .get(
                "a",
                where: { _ in
                    isAsked.open()
                    return true
                }, .json("[]").after(.seconds(Int64.max)))
        ])
        let client = try TestClient.client(over: transport)
        let promise = client.enqueue(.get("a"), as: String.self)
        try await isAsked.wait()
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
    }

    @Test func `what it says of a request has no secrets`() async throws {
        let transport = StubTransport(routes: [.get("users")])
        let error = await #expect(throws: ClientError.self) {
            try await text(transport, .get("user", query: ["token": "abc", "page": 2]))
        }
        let message = (error?.underlying as? TransportError)?.message
        #expect(message == "No route is for GET /user?token=…&page=2; there are: GET users")
    }

    @Test func `nor does it have what a credential makes secret`() async throws {
        let transport = StubTransport(routes: [.get("users")])
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                AuthorizationInterceptor(.apiKey("hunter2", queryItem: "tenant"))
            ]
        }
        let error = await #expect(throws: ClientError.self) {
            try await client.enqueue(AdHocEndpoint.get("user"), as: String.self).value
        }
        let message = (error?.underlying as? TransportError)?.message
        #expect(message == "No route is for GET /user?tenant=…; there are: GET users")
    }

    @Test func `a request that no rule is for fails, and says so`() async throws {
        let transport = StubTransport(routes: [
            .get("users", query: ["b": "1", "a": "2"], .json("")), .put("c"),
        ])
        let error = await #expect(throws: ClientError.self) {
            try await text(transport, .get("user"))
        }
        let message = (error?.underlying as? TransportError)?.message
        #expect(message == "No route is for GET /user; there are: GET users?a=2&b=1, PUT c")
        await #expect(throws: ClientError.self) { try await text(transport, .put("c")) }
    }

    @Test func `a rule whose condition does not hold is named as such`() async throws {
        let transport = StubTransport(routes: [
            .post("notes", where: { _ in false }, .json("")), .get("notes", .json("")),
            .post("tags", where: { _ in false }, .json("")),
        ])
        let error = await #expect(throws: ClientError.self) {
            try await text(transport, .post("notes"))
        }
        let message = (error?.underlying as? TransportError)?.message
        #expect(
            message == """
                No route is for POST /notes; there are: POST notes (its condition does not hold), \
                GET notes, POST tags
                """)
    }

    @Test func `a delay passes on the transport's clock`() async throws {
        let clock = ManualClock()
        let transport = StubTransport(
            routes: [.get("slow", .json("late").after(.seconds(3)))], clock: clock)
        async let answer = text(transport, .get("slow"))
        // The delay, and the time limit of the exchange.
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(3))
        #expect(try await answer == "late")
    }

    @Test func `a file is read when it is asked for`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = StubTransport(routes: [.get("a", .file(file, contentType: "text/plain"))])
        await #expect(throws: ClientError.self) { try await text(transport, .get("a")) }
        try Data("content".utf8).write(to: file)
        #expect(try await text(transport, .get("a")) == "content")
    }
}

@Suite struct FixtureInterceptorTests {
    private struct Known: Endpoint { let path = "known" }
    private struct Unknown: Endpoint { let path = "unknown" }
    private struct Unreadable: Endpoint { let path = "unreadable" }

    @Test func `an endpoint is answered by the file of its name, others are sent`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Unreadable.json"), withIntermediateDirectories: true)
        try Data(#"[{"id": 1, "login": "ann"}]"#.utf8)
            .write(to: folder.appending(path: "Known.json"))
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [FixtureInterceptor(in: folder)]
        }
        let users: Many<User> = try await client.enqueue(Known()).value
        #expect(try users.fetch().map(\.login) == ["ann"])
        #expect(transport.requests.isEmpty)
        let none: Many<User> = try await client.enqueue(Unknown()).value
        #expect(try none.count == 0)
        #expect(transport.requests.count == 1)
        let unreadable: Promise<Many<User>> = client.enqueue(Unreadable())
        await #expect(throws: (any Error).self) { try await unreadable.value }
        #expect(transport.requests.count == 1)
    }
}
