import Foundation
import Larder
import LarderTesting
import Testing

/// Cancelling at each moment: the promise settles once, and the store holds all or nothing.
struct CancellationTests {
    private struct OneLabel: Endpoint {
        var path: String { "label" }
    }

    private static let json = #"{"id": 1, "name": "bug", "color": "f00", "default": true}"#

    private func withClient(
        of server: LoopbackServer, _ body: (Client, Store) async throws -> Void
    ) async throws {
        try await TemporaryStore.with(Label.self) { store in
            try await body(.patient(baseURL: server.baseURL, store: store), store)
        }
        await server.stop()
    }

    @Test func `before the transfer: nothing is stored`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.json) }
        try await withClient(of: server) { client, store in
            let promise: Promise<Label> = client.enqueue(OneLabel())
            promise.cancel()
            await #expect(throws: CancellationError.self) { try await promise.value }
            let count = try store.count(Label.all)
            #expect(count == 0)
        }
    }

    @Test func `during the transfer: nothing is stored`() async throws {
        let arrived = Gate()
        let answer = Gate()
        let server = try await LoopbackServer { _ in
            arrived.open()
            try await answer.wait()
            return .json(Self.json)
        }
        try await withClient(of: server) { client, store in
            let promise: Promise<Label> = client.enqueue(OneLabel())
            try await arrived.wait()
            promise.cancel()
            await #expect(throws: CancellationError.self) { try await promise.value }
            answer.open()
            let count = try store.count(Label.all)
            #expect(count == 0)
        }
    }

    @Test func `after it has settled: nothing changes`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.json) }
        try await withClient(of: server) { client, store in
            let promise: Promise<Label> = client.enqueue(OneLabel())
            let before = try await promise.value
            promise.cancel()
            let after = try await promise.value
            #expect(before.name == "bug")
            #expect(after.name == "bug")
            #expect(try store.count(Label.all) == 1)
        }
    }

    @Test func `a cancellable request settles as cancelled and catch passes it over`() async throws
    {
        let answer = Gate()
        let server = try await LoopbackServer { _ in
            try await answer.wait()
            return .json(Self.json)
        }
        try await withClient(of: server) { client, store in
            let request: CancellablePromise<Label> = client.cancellableEnqueue(OneLabel())
            let outcome = request.promise.catch { _ in Testing.Issue.record("catch was called") }
            request.cancel()
            request.cancel()
            await #expect(throws: CancellationError.self) { try await outcome.value }
            answer.open()
        }
    }
}
