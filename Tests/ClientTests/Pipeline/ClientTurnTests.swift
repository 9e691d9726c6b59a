import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// A response that has arrived while the store belongs to somebody else.
@Suite struct ClientTurnTests {
    private let store: Store
    private let client: Client
    /// Logs in before it sends content, and stores who has.
    private let loggingIn: Client
    /// One whose store lets others wait for long.
    private let patient: Client
    /// Opens once a response is about to be stored.
    private let isRead = Gate()
    /// Opens once the patient one has got a response.
    private let isArrived = Gate()

    init() throws {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(10)
        store = try Store.inMemory(entities: User.self, configuration: configuration)
        client = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(
                transport: StubTransport(.json(#"{"id": 1, "login": "ann"}"#)),
                documentReader: OpeningReader(gate: isRead)))
        loggingIn = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(
                transport: StubTransport(.json("[]")),
                interceptors: [LoggingIn(client: client)]))
        patient = Client(
            baseURL: "http://test.invalid/", store: try Store.inMemory(entities: User.self),
            configuration: .init(
                transport: StubTransport(.json(#"{"id": 1, "login": "ann"}"#)),
                validators: [Validator { [isArrived] _, _ in isArrived.open() }]))
    }

    @Test func `it is stored once others are done, however long they take`() async throws {
        let (isHeld, goOn) = (Gate(), Gate())
        hold(isHeld, goOn)
        try await isHeld.wait()
        let user: Promise<User> = client.enqueue(Resource("x"))
        try await isRead.wait()
        // Each of these is given up after the store's time.
        for _ in 0..<5 { await Self.waitForBusy(store) }
        #expect(user.isPending)
        goOn.open()
        #expect(try await user.value.id == 1)
        #expect(try store.count(User.all) == 1)
    }

    @Test func `a promise that is cancelled does not wait for others to be done`() async throws {
        let (isHeld, goOn) = (Gate(), Gate())
        hold(isHeld, goOn)
        try await isHeld.wait()
        let user: Promise<User> = client.enqueue(Resource("x"))
        try await isRead.wait()
        user.cancel()
        await #expect(throws: CancellationError.self) { try await user.value }
        let next: Promise<User> = client.enqueue(Resource("x"))
        goOn.open()
        #expect(try await next.value.id == 1)
    }

    /// What the one who waits is in the way of.
    enum Arrangement: CaseIterable {
        case alone, behindAnother, insideAnotherStore, withContent
    }

    @Test(arguments: Arrangement.allCases)
    func `a transaction that waits for it ends, and says why`(
        _ arrangement: Arrangement
    ) async throws {
        let other = try Store.inMemory(entities: User.self)
        let others = Seen<Promise<User>>()
        let error = await Self.errorOnOwnThread {
            try store.write { _ in
                switch arrangement {
                case .alone:
                    let user: Promise<User> = client.enqueue(Resource("x"))
                    _ = try user.wait(timeout: .seconds(600))
                case .behindAnother:
                    Thread.detachNewThread { others.note(client.enqueue(Resource("x"))) }
                    try isRead.block()
                    let user: Promise<User> = client.enqueue(Resource("x"))
                    _ = try user.wait(timeout: .seconds(600))
                case .insideAnotherStore:
                    try other.write { _ in
                        let user: Promise<User> = client.enqueue(Resource("x"))
                        _ = try user.wait(timeout: .seconds(600))
                    }
                case .withContent:
                    let sent: Promise<Void> = loggingIn.enqueue(Note())
                    try sent.wait(timeout: .seconds(600))
                }
            }
        }
        let underlying = (error as? ClientError)?.underlying as? StoreError
        #expect(underlying?.reason == .reentrant)
        for other in others.values { _ = try await other.value }
        #expect(try store.count(User.all) == others.values.count)
    }

    @Test func `where it is cancelled, the transaction that waits for it goes on`() async throws {
        let error = await Self.errorOnOwnThread {
            try patient.store.write { _ in
                let user: Promise<User> = patient.enqueue(Resource("x"))
                try isArrived.block()
                user.cancel()
                _ = try user.wait(timeout: .seconds(600))
            }
        }
        #expect(error is CancellationError)
        #expect(try patient.store.count(User.all) == 0)
    }

    @Test func `nothing is written for a response without content, so that one may wait for it`()
        async throws
    {
        let client = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(
                transport: StubTransport(TransportResponse(head: HTTPResponse(status: .noContent))))
        )
        let error = await Self.errorOnOwnThread {
            try store.write { _ in
                let user: Promise<User?> = client.enqueue(Resource("x"))
                let value = try user.wait(timeout: .seconds(600))
                #expect(value == nil)
            }
        }
        #expect(error == nil)
    }

    @Test func `one that was asked for in a transaction is stored once that has ended`()
        async throws
    {
        let asked = Seen<Promise<User>>()
        let error = await Self.errorOnOwnThread {
            try patient.store.write { _ in
                asked.note(patient.enqueue(Resource("x")))
                try isArrived.block()
            }
        }
        #expect(error == nil)
        #expect(try await asked.values.first?.value.id == 1)
    }

    /// What a body throws on a thread of its own.
    private static func errorOnOwnThread(
        _ body: @escaping @Sendable () throws -> Void
    ) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try body()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }

    /// Has the store in a transaction, on a thread of its own, until told to go on.
    private func hold(_ isHeld: Gate, _ goOn: Gate) {
        Thread.detachNewThread {
            _ = try? store.write { _ in
                isHeld.open()
                try goOn.block()
            }
        }
    }

    /// Waits until a call that blocks its thread has been given up.
    private static func waitForBusy(_ store: Store) async {
        let error: StoreError? = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try store.write { _ in }
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error as? StoreError)
                }
            }
        }
        #expect(error?.reason == .busy)
    }
}

private struct OpeningReader: DocumentReader {
    let gate: Gate

    func document(from response: TransportResponse) throws -> JSONDocument {
        gate.open()
        return try JSONReader().document(from: response)
    }
}

private struct LoggingIn: Interceptor {
    let client: Client

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let user: Promise<User> = client.enqueue(Resource("me"))
        return user.then { _ in next(request) }
    }
}

private struct Note: Endpoint {
    let path = "notes"
    var method: HTTPRequest.Method { .post }
    var body: RequestBody? { .data(Data("a".utf8)) }
}
