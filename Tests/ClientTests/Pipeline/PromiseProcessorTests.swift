import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Testing

@Suite struct PromiseProcessorTests {
    /// Notes the endpoint and what came of it, and recovers where it can.
    private struct Recorder: PromiseProcessor {
        let name: String
        let seen: Seen<String>

        func process<Value>(
            _ promise: Promise<Value>, for endpoint: any Endpoint
        ) -> Promise<Value> {
            seen.note("\(name) \(endpoint.path)")
            return promise.recover { error in
                guard let value = "none" as? Value else { throw error }
                return value
            }
        }
    }

    private let seen = Seen<String>()

    private func client(over transport: some Transport) throws -> Client {
        try TestClient.client(over: transport) {
            $0.promiseProcessors = [
                Recorder(name: "first", seen: seen), Recorder(name: "second", seen: seen),
            ]
        }
    }

    @Test func `each is given the promise that the one before returns`() async throws {
        let client = try client(over: StubTransport(.json("[1]", status: .notFound)))
        #expect(try await client.enqueue(.get("x"), as: String.self).value == "none")
        #expect(seen.values == ["first x", "second x"])
        let numbers = client.enqueue(.get("y"), as: [Int].self)
        let error = await #expect(throws: ClientError.self) { try await numbers.value }
        #expect(error?.status == .notFound)
        #expect(seen.count == 4)
    }

    @Test func `what is stored, and what is fixed by its endpoint, goes there too`() async throws {
        let client = try client(over: StubTransport(.json(#"{"id": 1, "login": "ann"}"#)))
        #expect(try await client.enqueue(.get("x"), as: User.self).value.login == "ann")
        try await client.enqueue(.get("x")).value
        _ = try await client.cancellableEnqueue(.get("x"), as: User.self).promise.value
        _ = try await client.progress { $0.enqueue(.get("x"), as: User.self) }.promise.value
        #expect(seen.count == 8)
    }

    @Test func `cancelling what they return stops the exchange`() async throws {
        let held = HeldTransport()
        let promise = try client(over: held).enqueue(.get("x"), as: String.self)
        #expect(held.open == [0])
        promise.cancel()
        #expect(held.cancelled == [0])
    }

    @Test func `those for one call come from a client of its own`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]")))
        try await client.configured {
            $0.promiseProcessors.append(Recorder(name: "once", seen: seen))
        }
        .enqueue(.get("x")).value
        try await client.enqueue(.get("y")).value
        #expect(seen.values == ["once x"])
    }

    /// Looks at what comes of requests, as the protocol's own example does.
    private struct Watcher: PromiseProcessor {
        let seen: Seen<String>

        func process<Value>(
            _ promise: Promise<Value>, for endpoint: any Endpoint
        ) -> Promise<Value> {
            promise.watch { result in
                if case .failure(let error) = result { seen.note("\(type(of: error))") }
            }
        }
    }

    @Test func `one that watches changes nothing of what cancelling does`() async throws {
        let held = HeldTransport()
        let client = try TestClient.client(over: held) {
            $0.promiseProcessors = [Watcher(seen: seen)]
        }
        let promise = client.enqueue(.get("x"), as: String.self)
        let task = Task { try await promise.value }
        while held.open.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(held.cancelled == [0])
        #expect(seen.values == ["CancellationError"])
    }
}
