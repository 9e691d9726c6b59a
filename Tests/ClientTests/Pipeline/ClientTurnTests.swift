import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// A response that has arrived while the store belongs to somebody else.
@Suite struct ClientTurnTests {
    private let store: Store
    private let client: Client
    /// Opens once a response is about to be stored.
    private let isRead = Gate()

    init() throws {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(10)
        store = try Store.inMemory(entities: User.self, configuration: configuration)
        client = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(
                transport: StubTransport(.json(#"{"id": 1, "login": "ann"}"#)),
                documentReader: OpeningReader(gate: isRead)))
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

    @Test func `a transaction that waits for it ends, and says why`() async throws {
        let error: (any Error)? = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let result = Result {
                    try store.write { _ in
                        let user: Promise<User> = client.enqueue(Resource("x"))
                        _ = try user.wait(timeout: .seconds(600))
                    }
                }
                if case .failure(let error) = result {
                    continuation.resume(returning: error)
                } else {
                    continuation.resume(returning: nil)
                }
            }
        }
        let underlying = (error as? ClientError)?.underlying as? StoreError
        #expect(underlying?.code == .reentrant)
        #expect(try store.count(User.all) == 0)
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
        #expect(error?.code == .busy)
    }
}

private struct OpeningReader: DocumentReader {
    let gate: Gate

    func document(from response: TransportResponse) throws -> JSONDocument {
        gate.open()
        return try JSONReader().document(from: response)
    }
}
