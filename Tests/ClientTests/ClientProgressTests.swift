import Foundation
import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Testing

/// The progress of requests where they are enqueued.
@Suite struct ClientProgressTests {
    private struct Upload: Endpoint {
        let path = "files"
        var method: HTTPRequest.Method { .post }
        var body: RequestBody? { .data(Data(count: 200_000)) }
    }

    @Test func `reports count up, and the last has all of both`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let seen = Seen<TransferProgress>()
        let client = try TestClient.client(at: server.baseURL)
        let data = try await client.reportingProgress { seen.note($0) }
            .enqueue(Upload(), as: Data.self).value
        #expect(data.count == 300_000)
        let last = try #require(seen.values.last)
        #expect(
            last
                == TransferProgress(
                    sent: 200_000, expectedToSend: 200_000, received: 300_000,
                    expectedToReceive: 300_000))
        #expect((last.fractionSent, last.fractionReceived) == (1, 1))
        for (before, after) in zip(seen.values, seen.values.dropFirst()) {
            #expect(before.sent <= after.sent && before.received <= after.received)
        }
        // The client itself reports nothing.
        let count = seen.values.count
        _ = try await client.enqueue(Upload(), as: Data.self).value
        #expect(seen.values.count == count)
        await server.stop()
    }

    @Test func `progress can be awaited, and ends with the request`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let client = try TestClient.client(at: server.baseURL)
        let upload = client.progress { $0.enqueue(Upload(), as: Data.self) }
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        #expect(last?.fractionReceived == 1)
        #expect(try await upload.promise.value.count == 300_000)
        await server.stop()
    }

    @Test func `a request that fails has no last report, and its sequence ends`() async throws {
        let client = try TestClient.client(
            over: StubTransport { _ in throw TransportError(.connectionLost, "Gone.") })
        let upload = client.progress { $0.enqueue(Upload(), as: Data.self) }
        for await progress in upload.progress { Issue.record("\(progress)") }
        await #expect(throws: ClientError.self) { try await upload.promise.value }
    }

    @Test func `an answer from elsewhere is whole at once`() async throws {
        let client = try TestClient.client(answering: "[]")
        let seen = Seen<TransferProgress>()
        _ = try await client.reportingProgress { seen.note($0) }.enqueue(Upload(), as: Data.self)
            .value
        #expect(seen.values.map(\.fractionSent) == [1])
        #expect(seen.values.map(\.fractionReceived) == [1])
    }

    @Test func `cancelling the promise stops the request and ends the sequence`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let upload = client.progress { $0.enqueue(Upload(), as: Data.self) }
        upload.promise.cancel()
        for await progress in upload.progress { Issue.record("\(progress)") }
        await #expect(throws: CancellationError.self) { try await upload.promise.value }
        #expect(transport.open.isEmpty)
    }

    @Test func `fractions are known where sizes are`() {
        #expect(TransferProgress(sent: 3, expectedToSend: 4).fractionSent == 0.75)
        #expect(TransferProgress(sent: 3).fractionSent == nil)
        #expect(TransferProgress(received: 9, expectedToReceive: 8).fractionReceived == 1)
        #expect(TransferProgress(expectedToReceive: 0).fractionReceived == 1)
        #expect(TransferProgress(received: -1, expectedToReceive: 8).fractionReceived == 0)
    }
}
