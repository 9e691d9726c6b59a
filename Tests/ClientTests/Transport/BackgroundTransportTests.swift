import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct BackgroundTransportTests {
    private struct Exchanger: BackgroundExchanger {
        let transport: StubTransport

        func send(
            _ request: TransportRequest,
            completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
        ) -> any TransportTask { transport.send(request, completion: completion) }

        func eventsDelivered() async {}
    }

    @Test func `downloads and content go over the background, all else does not`() async throws {
        let file = try TemporaryFile(named: "a", Data())
        let (foreground, background) = (StubTransport(.json("[1]")), StubTransport(.json("[2]")))
        let transport = BackgroundTransport(
            foreground: foreground, background: Exchanger(transport: background))
        let client = try TestClient.client(over: transport)
        _ = try await client.enqueue(.get("plain"), as: Data.self).value
        _ = try await client.enqueue(.post("sent", body: .json([1])), as: Data.self).value
        _ = try await client.download(.get("file"), to: file.url, replacing: true).value
        for try await _ in client.stream(.get("stream")) {}
        #expect(foreground.requests.map(\.head.path) == ["/plain", "/stream"])
        #expect(background.requests.map(\.head.path) == ["/sent", "/file"])
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "[2]")
    }

    @Test func `where there is no background, all goes over the foreground`() async throws {
        let file = try TemporaryFile(named: "a", Data())
        let foreground = StubTransport(.json("[1]"))
        let transport = BackgroundTransport(identifier: "larder.test", foreground: foreground)
        #expect(transport.identifier == "larder.test")
        await transport.eventsDelivered()
        let client = try TestClient.client(over: transport)
        _ = try await client.download(.get("file"), to: file.url, replacing: true).value
        #expect(foreground.requests.count == 1)
    }
}
