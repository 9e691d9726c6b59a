import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Where to go on, which is kept with what has come.
@Entity struct SyncToken: Equatable {
    @Identity var name: String
    var text: String
}

struct TokenRefused: Error {}

/// What is written along with a response, in its transaction.
@Suite struct ResponseSerializerStoringTests {
    private static let users = #"[{"id": 1, "login": "ann"}]"#

    private static func client(
        answering response: TransportResponse = .json(users),
        _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        var configuration = Client.Configuration(transport: StubTransport(response))
        configure(&configuration)
        return Client(
            baseURL: "http://test.invalid/",
            store: try Store.inMemory(entities: User.self, SyncToken.self),
            configuration: configuration)
    }

    private static func notStored(_ error: (any Error)?) -> (any Error)? {
        guard let error = error as? ClientError, error.reason == .notStored else { return nil }
        return error.underlying
    }

    private static let storing = ResponseSerializer<Many<User>>.stored()

    // MARK: - One transaction

    @Test func `observers see both, once`() async throws {
        let client = try Self.client()
        let counts = client.store.observe { snapshot in
            [try snapshot.count(User.all), try snapshot.count(SyncToken.all)]
        }
        var seen = counts.makeAsyncIterator()
        #expect(try await seen.next() == [0, 0])
        let serializer = Self.storing.storing { context, users in
            #expect(try users.count == 1)
            #expect(try context.count(User.all) == 1)
            try context.save(SyncToken(name: "users", text: "t1"))
        }
        _ = try await client.enqueue(Resource("a"), serializer: serializer).value
        #expect(try await seen.next() == [1, 1])
    }

    @Test func `several compose, in order, on either side of the whole response`() async throws {
        let fields: HTTPFields = [.eTag: "\"7\""]
        let client = try Self.client(answering: .json(Self.users, headerFields: fields))
        let order = Seen<String>()
        let serializer: ResponseSerializer<Response<Many<User>>> = Self.storing.storing {
            context, _ in
            order.note("first")
            try context.save(SyncToken(name: "first", text: "1"))
        }
        .withResponse()
        .storing { context, response in
            order.note("second")
            #expect(try context.find(SyncToken.self, id: "first") != nil)
            #expect(response.report["User"].inserted == 1)
            #expect(response.report["SyncToken"].inserted == 0)
            let tag = response.headerFields[.eTag] ?? ""
            try context.save(SyncToken(name: "tag", text: tag))
        }
        let response = try await client.enqueue(Resource("a"), serializer: serializer).value
        #expect(order.values == ["first", "second"])
        #expect(response.report["SyncToken"].inserted == 0)
        #expect(try client.store.find(SyncToken.self, id: "tag")?.text == "\"7\"")
        #expect(try client.store.count(SyncToken.all) == 2)
    }

    @Test func `a value that is not stored is made first, then a body has a transaction`()
        async throws
    {
        let client = try Self.client(answering: .json("no JSON at all"))
        let serializer = ResponseSerializer<String>.decoded()
        let text = try await client.enqueue(
            Resource("a"),
            serializer: serializer.storing { context, text in
                try context.save(SyncToken(name: "text", text: text))
            }
        ).value
        let whole: ResponseSerializer<Response<String>> = serializer.storing { context, text in
            try context.save(SyncToken(name: "other", text: text))
        }.withResponse()
        let response = try await client.enqueue(Resource("a"), serializer: whole).value
        #expect(text == "no JSON at all" && response.value == text)
        #expect(try client.store.find(SyncToken.self, id: "text")?.text == text)
        #expect(try client.store.find(SyncToken.self, id: "other")?.text == text)
        let unfit = client.enqueue(
            Resource("a"),
            serializer: ResponseSerializer<[Int]>.decoded().storing { context, _ in
                try context.save(SyncToken(name: "unfit", text: ""))
            })
        let error = await #expect(throws: ClientError.self) { try await unfit.value }
        #expect(error?.reason == .malformedJSON)
        #expect(try client.store.count(SyncToken.all) == 2)
    }

    @Test func `a response without content has a body, where it has a value`() async throws {
        let client = try Self.client(
            answering: TransportResponse(head: HTTPResponse(status: .noContent)))
        let serializer = ResponseSerializer<User?>.stored().storing { context, user in
            #expect(user == nil)
            try context.save(SyncToken(name: "none", text: ""))
        }
        _ = try await client.enqueue(Resource("a"), serializer: serializer).value
        let ignored = ResponseSerializer<Void>.ignored().storing { context, _ in
            try context.save(SyncToken(name: "ignored", text: ""))
        }
        try await client.enqueue(Resource("a"), serializer: ignored).value
        let empty = client.enqueue(Resource("a"), serializer: Self.storing.storing { _, _ in })
        let error = await #expect(throws: ClientError.self) { try await empty.value }
        #expect(error?.reason == .emptyBody)
        #expect(try client.store.fetch(SyncToken.all).map(\.name).sorted() == ["ignored", "none"])
    }

    // MARK: - Failures

    @Test func `where a body throws, nothing is stored, and its error says why`() async throws {
        let client = try Self.client()
        let serializer = Self.storing.storing { context, _ in
            try context.save(SyncToken(name: "a", text: ""))
        }
        let failing = serializer.storing { _, _ in throw TokenRefused() }
        let own = serializer.storing { _, _ in throw ClientError(.undecodable) }
        let giving = serializer.storing { _, _ in throw CancellationError() }
        let decoded = ResponseSerializer<Data>.decoded().storing { context, _ in
            try context.save(SyncToken(name: "a", text: ""))
            throw TokenRefused()
        }
        var error = await AnyPromise(
            client.enqueue(Resource("a"), serializer: failing)
        ).failure
        #expect(Self.notStored(error) is TokenRefused)
        error = await AnyPromise(
            client.enqueue(Resource("a"), serializer: own)
        ).failure
        #expect((Self.notStored(error) as? ClientError)?.reason == .undecodable)
        error = await AnyPromise(
            client.enqueue(Resource("a"), serializer: giving)
        ).failure
        #expect(error is CancellationError)
        error = await AnyPromise(
            client.enqueue(Resource("a"), serializer: decoded)
        ).failure
        #expect(Self.notStored(error) is TokenRefused)
        #expect((error as? ClientError)?.status == .ok)
        #expect(try client.store.count(User.all) == 0)
        #expect(try client.store.count(SyncToken.all) == 0)
    }

    @Test func `where the response does not fit, no body runs`() async throws {
        let client = try Self.client(answering: .json(#"[{"id": 1, "login": 7}]"#))
        let serializer = Self.storing.storing { _, _ in Issue.record("It runs.") }
        let error = await AnyPromise(
            client.enqueue(Resource("a"), serializer: serializer)
        ).failure
        #expect(Self.notStored(error) is MappingError)
        let elsewhere = ResponseSerializer<Many<User>>.stored(at: "items").storing { _, _ in
            Issue.record("It runs.")
        }
        let unfit = await AnyPromise(
            client.enqueue(Resource("a"), serializer: elsewhere)
        ).failure
        #expect((unfit as? ClientError)?.reason == .undecodable)
    }

    @Test func `what a body must not do is its error, and it holds nobody up`() async throws {
        let client = try Self.client()
        let errors = Seen<(any Error)?>()
        let serializer = Self.storing.storing { [store = client.store] _, _ in
            let other: Promise<Many<User>> = client.enqueue(Resource("b"))
            do { _ = try other.wait(timeout: .seconds(300)) } catch { errors.note(error) }
            try store.write { try $0.save(User(id: 2, login: "bob")) }
        }
        let error = await AnyPromise(
            client.enqueue(Resource("a"), serializer: serializer)
        ).failure
        #expect(errors.values.first is PromiseError)
        #expect((Self.notStored(error) as? StoreError)?.reason == .reentrant)
        #expect(try client.store.find(User.self, id: 2) == nil)
    }

    @Test func `what a body enqueues is stored once its transaction has ended`() async throws {
        let client = try Self.client()
        let inner = Seen<Promise<Many<User>>>()
        let serializer = Self.storing.storing { context, _ in
            inner.note(
                client.enqueue(
                    Resource("b"),
                    serializer: Self.storing.storing { context, _ in
                        let token = try context.find(SyncToken.self, id: "outer")
                        try context.save(SyncToken(name: "inner", text: token?.text ?? "none"))
                    }))
            try context.save(SyncToken(name: "outer", text: "outer"))
        }
        _ = try await client.enqueue(Resource("a"), serializer: serializer).value
        _ = try await inner.values.first?.value
        #expect(try client.store.find(SyncToken.self, id: "inner")?.text == "outer")
    }

    @Test func `enqueued in a transaction, a body runs once that has ended`() async throws {
        let client = try Self.client()
        let promises = Seen<Promise<Void>>()
        try await client.store.write { context in
            for name in ["stored", "decoded"] {
                let save: @Sendable (Context) throws -> Void = { context in
                    let token = try context.find(SyncToken.self, id: "caller")
                    try context.save(SyncToken(name: name, text: token?.text ?? "none"))
                }
                let promise: Promise<Void> =
                    name == "stored"
                    ? client.enqueue(
                        Resource("a"),
                        serializer: Self.storing.storing { context, _ in
                            try save(context)
                        }
                    ).asVoid()
                    : client.enqueue(
                        Resource("a"),
                        serializer: ResponseSerializer<Data>.decoded().storing { context, _ in
                            try save(context)
                        }
                    ).asVoid()
                promises.note(promise)
            }
            try context.save(SyncToken(name: "caller", text: "done"))
        }
        for promise in promises.values { try await promise.value }
        let texts = try client.store.fetch(SyncToken.all).map(\.text)
        #expect(texts == ["done", "done", "done"])
    }

    // MARK: - Cancellation

    enum Stage: CaseIterable { case body, beforeCommit, committing }

    @Test(arguments: Stage.allCases, [true, false])
    func `cancelled at a stage, both are stored and it is fulfilled, or nothing is`(
        _ stage: Stage, isStored: Bool
    ) async throws {
        let client = try Self.client()
        let (reached, goOn) = (Gate(), Gate())
        let stop: @Sendable (Stage) throws -> Void = { at in
            guard at == stage else { return }
            reached.open()
            try goOn.block()
        }
        let body: @Sendable (Context) throws -> Void = { context in
            try context.save(SyncToken(name: "a", text: ""))
            try stop(.body)
            let commit = context.willCommit
            context.willCommit = {
                try stop(.beforeCommit)
                try commit()
                try stop(.committing)
            }
        }
        let promise =
            isStored
            ? AnyPromise(
                client.enqueue(
                    Resource("a"),
                    serializer: Self.storing.storing { context, _ in try body(context) }))
            : AnyPromise(
                client.enqueue(
                    Resource("a"),
                    serializer: ResponseSerializer<Data>.decoded().storing { context, _ in
                        try body(context)
                    }))
        try await reached.wait()
        promise.cancel()
        goOn.open()
        let failure = await promise.failure
        // The next transaction waits for the one that may be rolled back.
        try await client.store.write { _ in }
        let counts = [try client.store.count(User.all), try client.store.count(SyncToken.all)]
        if stage == .committing {
            #expect(failure == nil)
            #expect(counts == [isStored ? 1 : 0, 1])
        } else {
            #expect(failure is CancellationError)
            #expect(counts == [0, 0])
        }
    }
}
