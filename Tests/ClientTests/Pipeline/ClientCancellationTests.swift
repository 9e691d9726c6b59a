import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Synchronization
import Testing

@Suite struct ClientCancellationTests {
    static let users = #"[{"id": 1, "login": "ann"}]"#

    @Test func `cancelled before it is sent, nothing is sent`() async throws {
        let gate = Gate()
        let transport = StubTransport(.json(Self.users))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [GateInterceptor(gate: gate)]
        }
        let promise: Promise<Many<User>> = client.enqueue(Resource("users"))
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        gate.open()
        let other: Many<User> = try await client.enqueue(Resource("others")).value
        #expect(try other.count == 1)
        #expect(transport.requests.map(\.head.path) == ["/others"])
    }

    @Test func `cancelled during the transfer, the connection closes and nothing is stored`()
        async throws
    {
        let heard = Gate()
        let closed = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n\(Self.users)")
            heard.open()
            connection.waitForClose()
            closed.open()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let promise: Promise<Many<User>> = client.enqueue(Resource("users"))
        let settled = Settlements(of: promise)
        try await heard.wait()
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        try await closed.wait()
        #expect(try client.store.count(User.all) == 0)
        #expect(try await settled.count() == 1)
    }

    @Test func `cancelled during the import, the transaction is rolled back`() async throws {
        let hook = ImportHook()
        let json = #"{"hook": "\#(hook.name)", "users": \#(Self.users)}"#
        let client = try TestClient.client(
            over: StubTransport { .json($0.head.path == "/held" ? json : "[]") })
        let promise: Promise<HeldUsers> = client.enqueue(Resource("held"))
        let settled = Settlements(of: promise)
        try await hook.reached.wait()
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        hook.goOn.open()
        // The next import waits for the one that is rolled back.
        let _: Many<User> = try await client.enqueue(Resource("none")).value
        #expect(try client.store.count(User.all) == 0)
        let other: HeldUsers = try await client.enqueue(Resource("held")).value
        #expect(other.count == 1)
        #expect(try client.store.count(User.all) == 1)
        #expect(try await settled.count() == 1)
    }

    @Test func `cancelled afterwards, nothing happens`() async throws {
        let client = try TestClient.client(answering: Self.users)
        let promise: Promise<Many<User>> = client.enqueue(Resource("users"))
        let settled = Settlements(of: promise)
        _ = try await promise.value
        promise.cancel()
        #expect(try await promise.value.count == 1)
        #expect(try client.store.count(User.all) == 1)
        #expect(try await settled.count() == 1)
    }

    @Test func `catch does not see a cancellation unless asked`() async throws {
        let gate = Gate()
        let client = try TestClient.client(
            over: StubTransport { _ in
                try? await gate.wait()
                return .json("[]")
            })
        let seen = Seen<String>()
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        let chain =
            promise
            .catch { _ in seen.note("default") }
            .catch(policy: .allErrors) { _ in seen.note("asked") }
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await chain.value }
        #expect(seen.values == ["asked"])
        gate.open()
    }

    @Test func `a cancellable stops its transfer`() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try? await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport)
        let cancellable: CancellablePromise<Many<User>> = client.cancellableEnqueue(
            Resource("users"))
        cancellable.cancel()
        await #expect(throws: CancellationError.self) { try await cancellable.promise.value }
        #expect(transport.cancellationCount == 1)
        gate.open()
    }

    @Test func `cancelling the waiting task cancels the exchange`() async throws {
        let arrived = Gate()
        let gate = Gate()
        let transport = StubTransport { _ in
            arrived.open()
            try? await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport)
        let task = Task { () -> Int in
            let users: Many<User> = try await client.enqueue(Resource("users")).value
            return try users.count
        }
        try await arrived.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.cancellationCount == 1)
        gate.open()
    }

    @Test func `a promise without its client is settled all the same`() async throws {
        let gate = Gate()
        let server = try await LoopbackServer { _ in
            try await gate.wait()
            return .json(Self.users)
        }
        let promise: Promise<[User]>
        do {
            let client = try TestClient.client(at: server.baseURL)
            promise = client.enqueue(Resource("users"))
        }
        gate.open()
        #expect(try await promise.value.count == 1)
        await server.stop()
    }

    @Test func `1,000 promises cancelled at random settle once each`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.users) }
        let client = try TestClient.client(at: server.baseURL)
        var settlements: [Settlements] = []
        for _ in 0..<1000 {
            let promise: Promise<Many<User>> = client.enqueue(Resource("users"))
            settlements.append(Settlements(of: promise))
            switch Int.random(in: 0..<3) {
            case 0: promise.cancel()
            case 1: DispatchQueue.global().async { promise.cancel() }
            default: break
            }
        }
        for settlement in settlements { #expect(try await settlement.count() == 1) }
        #expect(try client.store.count(User.all) <= 1)
        await server.stop()
    }
}

/// Lets requests through once a gate is open.
private struct GateInterceptor: Interceptor {
    let gate: Gate

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let gate = gate
        return Promise { try? await gate.wait() }.then { () in next(request) }
    }
}

/// Counts how often a promise settles.
private final class Settlements: Sendable {
    private let state = Atomic(0)
    private let gate = Gate()

    init<Value>(of promise: Promise<Value>) {
        promise.then(on: .immediate) { _ in self.note() }
            .catch(policy: .allErrors, on: .immediate) { _ in self.note() }
    }

    private func note() {
        state.add(1, ordering: .relaxed)
        gate.open()
    }

    func count() async throws -> Int {
        try await gate.wait()
        return state.load(ordering: .relaxed)
    }
}

/// Holds an import between its writes and its commit.
private final class ImportHook: Sendable {
    private static let all = Mutex<[String: ImportHook]>([:])

    let name = UUID().uuidString
    let reached = Gate()
    let goOn = Gate()

    init() {
        Self.all.withLock { $0[name] = self }
    }

    static func named(_ name: String) -> ImportHook? {
        all.withLock { $0[name] }
    }
}

/// Users whose import waits at a hook before it ends.
private struct HeldUsers: Importable {
    let count: Int

    static func `import`(from value: JSONValue, in context: Context) throws -> HeldUsers {
        guard let hook = ImportHook.named(value["hook"]?.string ?? ""),
            let json = value["users"]
        else { throw CancellationError() }
        let users = try Many<User>.import(from: json, in: context)
        hook.reached.open()
        try hook.goOn.block()
        return HeldUsers(count: try users.count)
    }
}
