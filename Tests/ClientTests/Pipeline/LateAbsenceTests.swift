import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// An answer that there is none of an object, to whoever asked before there was.
@Suite struct LateAbsenceTests {
    private static func endpoint(_ method: HTTPRequest.Method = .get) -> AdHocEndpoint {
        AdHocEndpoint(method, "users/1").setting(\.removal, to: .of(One<User>(id: 1)))
    }

    private static func client(
        over transport: HeldTransport, _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        let client = try TestClient.client(over: transport, configure)
        try client.store.save(User(id: 2, login: "bob"))
        return client
    }

    private static func ids(_ client: Client) throws -> [Int] {
        try client.store.select(User.all.sorted { $0.id.ascending }) { $0.id }
    }

    private static func wait(_ transport: HeldTransport, for count: Int) async {
        while transport.requests.count < count { await Task.yield() }
    }

    private static func absence(_ status: HTTPResponse.Status = .notFound) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: status))
    }

    @Test(
        arguments: [HTTPRequest.Method.get, .patch],
        [HTTPResponse.Status.notFound, .gone])
    func `what has come since it was asked for stays`(
        _ method: HTTPRequest.Method, _ status: HTTPResponse.Status
    ) async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let promise = client.enqueue(Self.endpoint(method), as: Response<Void>.self)
        await Self.wait(transport, for: 1)
        let list = client.enqueue(.get("users"), as: [User].self)
        await Self.wait(transport, for: 2)
        transport.end(1, .success(.json(#"[{"id": 1, "login": "ann"}]"#)))
        _ = try await list.value
        transport.end(0, .success(Self.absence(status)))
        let error = await #expect(throws: ClientError.self) { _ = try await promise.value }
        #expect(error?.status == status)
        #expect(try Self.ids(client) == [1, 2])
    }

    /// The list may have been read before it was deleted.
    @Test(arguments: [HTTPResponse.Status.noContent, .notFound])
    func `what is to be deleted goes, whenever it has come`(
        _ status: HTTPResponse.Status
    ) async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let promise = client.enqueue(Self.endpoint(.delete), as: Response<Void>.self)
        await Self.wait(transport, for: 1)
        try client.store.save(User(id: 1, login: "ann"))
        transport.end(0, .success(Self.absence(status)))
        #expect(try await promise.value.report["User"].deleted == 1)
        #expect(try Self.ids(client) == [2])
    }

    @Test(arguments: [HTTPResponse.Status.ok, .notFound])
    func `what is to be deleted goes with the list that is left, too`(
        _ status: HTTPResponse.Status
    ) async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let endpoint = Self.endpoint(.delete).setting(\.completeness, to: .whole(User.all))
        let promise = client.enqueue(endpoint, as: [User]?.self)
        await Self.wait(transport, for: 1)
        try client.store.save(User(id: 1, login: "ann"))
        let list = TransportResponse.json(#"[{"id": 2, "login": "bob"}]"#)
        transport.end(0, .success(status == .ok ? list : Self.absence(status)))
        _ = try await promise.value
        #expect(try Self.ids(client) == [2])
    }

    @Test func `what was there goes, whatever has been written to it since`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        try client.store.save(User(id: 1, login: "ann"))
        let promise = client.enqueue(Self.endpoint(), as: User.self)
        await Self.wait(transport, for: 1)
        try client.store.save(User(id: 1, login: "anna"))
        transport.end(0, .success(Self.absence()))
        await #expect(throws: ClientError.self) { _ = try await promise.value }
        #expect(try Self.ids(client) == [2])
    }

    /// The ways in which an object can go, and come again.
    enum Way: CaseIterable { case locally, inOneTransaction, byAnswers }

    @Test(arguments: Way.allCases)
    func `what has gone and come again since stays`(_ way: Way) async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        try client.store.save(User(id: 1, login: "ann"))
        let promise = client.enqueue(Self.endpoint(), as: User.self)
        await Self.wait(transport, for: 1)
        let again = User(id: 1, login: "anna")
        switch way {
        case .locally:
            try client.store.delete(One<User>(id: 1))
            try client.store.save(again)
        case .inOneTransaction:
            try await client.store.write { context in
                try context.delete(User.all)
                try context.save([again, User(id: 2, login: "bob")])
            }
        case .byAnswers:
            transport.end(1, .success(Self.absence(.noContent)))
            try await client.enqueue(Self.endpoint(.delete), as: Void.self).value
            transport.end(2, .success(.json(#"{"id": 1, "login": "anna"}"#)))
            _ = try await client.enqueue(.post("users"), as: User.self).value
        }
        transport.end(0, .success(Self.absence()))
        await #expect(throws: ClientError.self) { _ = try await promise.value }
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `what did not go after all goes, and what went is gone`() async throws {
        struct Undone: Error {}
        for isUndone in [true, false] {
            let transport = HeldTransport()
            let client = try Self.client(over: transport)
            try client.store.save(User(id: 1, login: "ann"))
            let promise = client.enqueue(Self.endpoint(), as: User.self)
            await Self.wait(transport, for: 1)
            if isUndone {
                #expect(throws: Undone.self) {
                    try client.store.write { context in
                        try context.delete(One<User>(id: 1))
                        throw Undone()
                    }
                }
                try await client.store.write { context in
                    try? context.savepoint {
                        try context.delete(One<User>(id: 1))
                        throw Undone()
                    }
                    try context.save(User(id: 1, login: "anna"))
                }
            } else {
                try client.store.delete(One<User>(id: 1))
            }
            transport.end(0, .success(Self.absence()))
            await #expect(throws: ClientError.self) { _ = try await promise.value }
            #expect(try Self.ids(client) == [2])
        }
    }

    @Test func `a reference goes, unless its object has come since`() async throws {
        for hasCome in [false, true] {
            let transport = HeldTransport()
            let labels = try Store.inMemory(entities: Label.self, Sheaf.self)
            let client = Client(
                baseURL: "http://test.invalid/", store: labels,
                configuration: Client.Configuration(transport: transport, timeout: .seconds(600)))
            try labels.import(Sheaf.self, from: #"{"id": 1, "labels": ["x"]}"#)
            let endpoint = AdHocEndpoint.get("labels/x")
                .setting(\.removal, to: .of(One<Label>(id: "x")))
            let promise = client.enqueue(endpoint, as: Label.self)
            await Self.wait(transport, for: 1)
            if hasCome { try labels.save(Label(name: "x", colour: "red")) }
            transport.end(0, .success(Self.absence()))
            await #expect(throws: ClientError.self) { _ = try await promise.value }
            #expect(try labels.fetch(Label.all).map(\.colour) == (hasCome ? ["red"] : []))
            #expect(try labels.select(Label.references) { $0.name }.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `what was saved in the transaction that asks goes`(_ isPartial: Bool) async throws {
        let transport = HeldTransport()
        let file = try TemporaryFile(named: "place", Data())
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path
        let client = Client(
            baseURL: "http://test.invalid/",
            store: try Store(at: path, entities: User.self, Article.self, Tag.self),
            configuration: Client.Configuration(transport: transport, timeout: .seconds(600)))
        try client.store.save(User(id: 2, login: "bob"))
        let endpoint = Self.endpoint(.patch)
            .setting(\.completeness, to: isPartial ? .partial : .whole(User.all))
        let promise = try await client.store.write { context in
            try context.save(User(id: 1, login: "ann"))
            return client.enqueue(endpoint, as: [User].self)
        }
        await Self.wait(transport, for: 1)
        transport.end(0, .success(Self.absence()))
        await #expect(throws: ClientError.self) { _ = try await promise.value }
        #expect(try Self.ids(client) == [2])
    }

    private static func joiningClient(
        over transport: HeldTransport, _ sent: Seen<Void>
    ) throws -> Client {
        try client(over: transport) {
            $0.coalescing = .joining.covering([.get, .delete])
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    defer { sent.note(()) }
                    return next(request)
                }
            ]
        }
    }

    @Test func `an exchange that had been sent for another takes nothing that has come since`()
        async throws
    {
        let (transport, sent) = (HeldTransport(), Seen<Void>())
        let client = try Self.joiningClient(over: transport, sent)
        let first = client.enqueue(Self.endpoint(), as: User.self)
        await Self.wait(transport, for: 1)
        try client.store.save(User(id: 1, login: "ann"))
        let second = client.enqueue(Self.endpoint(), as: Data.self)
        while sent.count < 2 { await Task.yield() }
        transport.end(0, .success(Self.absence()))
        await #expect(throws: ClientError.self) { _ = try await first.value }
        await #expect(throws: ClientError.self) { _ = try await second.value }
        #expect(transport.requests.count == 1)
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `a DELETE that has joined another one comes too late as that does`() async throws {
        let (transport, sent) = (HeldTransport(), Seen<Void>())
        let client = try Self.joiningClient(over: transport, sent)
        try client.store.save(User(id: 1, login: "ann"))
        let first = client.enqueue(Self.endpoint(.delete), as: Void.self)
        let second = client.enqueue(Self.endpoint(.delete), as: Void.self)
        while sent.count < 2 { await Task.yield() }
        transport.end(0, .success(Self.absence()))
        try await first.value
        try await second.value
        #expect(transport.requests.count == 1)
        #expect(try Self.ids(client) == [2])
    }

    @Test func `a store that can't be read sends nothing`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        try client.store.close()
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(Self.endpoint(), as: Data.self).value
        }
        #expect(error?.reason == .notStored && transport.requests.isEmpty)
    }
}

@Entity private struct Label {
    @Identity var name: String
    var colour: String
}

@Entity private struct Sheaf {
    @Identity var id: Int
    var labels: Many<Label>
}
