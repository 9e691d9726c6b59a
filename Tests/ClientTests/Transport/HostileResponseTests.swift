#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite(.platformTransport) struct HostileResponseTests {
    @Test(arguments: HostileResponse.all)
    func `a hostile response ends in what it deserves`(_ hostile: HostileResponse) async throws {
        let server = try Self.server(sending: hostile)
        defer { server.stop() }
        let request = TransportRequest.to(
            server.baseURL, timeout: hostile.timeout, limits: HostileResponse.limits)
        let result = await PlatformTransport().result(of: request)
        #expect(hostile.complaint(about: result) == nil)
    }

    @Test(arguments: HostileResponse.all)
    func `nothing of a refused response is stored`(_ hostile: HostileResponse) async throws {
        guard case .error = hostile.outcome else { return }
        let server = try Self.server(sending: hostile)
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) {
            $0.timeout = hostile.timeout
            $0.limits = HostileResponse.limits
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        await #expect(throws: ClientError.self) { try await users.value }
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `after all hostile responses, in any order, a good one is as good`() async throws {
        let transport = PlatformTransport(configuration: .init(maximumExchanges: 1))
        let good = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        defer { good.stop() }
        for hostile in HostileResponse.all.shuffled() where !hostile.isSilence {
            let server = try Self.server(sending: hostile)
            defer { server.stop() }
            let request = TransportRequest.to(server.baseURL, limits: HostileResponse.limits)
            _ = await transport.error(of: request)
            let response = try await transport.response(to: TransportRequest.to(good.baseURL))
            #expect(response.body == Data("[]".utf8), "after \(hostile.name)")
        }
    }

    @Test func `a folded value is joined by a space`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nX-A: b\r\n\t c\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let response = try await PlatformTransport().response(
            to: TransportRequest.to(server.baseURL))
        #expect(response.head.headerFields[.named("X-A")] == "b c")
    }

    @Test func `fields of an interim response do not reach the final one`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 103 E\r\nX-A: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let response = try await PlatformTransport().response(
            to: TransportRequest.to(server.baseURL))
        #expect(!response.head.headerFields.contains(.named("X-A")))
    }

    private static func server(sending hostile: HostileResponse) throws -> RawServer {
        try RawServer(serve(hostile))
    }

    static func serve(
        _ hostile: HostileResponse
    ) -> @Sendable (RawServer.Connection) throws -> Void {
        { connection in
            _ = try connection.readRequest()
            try connection.send(hostile.bytes)
            if hostile.staysOpen { connection.waitForClose() }
        }
    }
}

extension HostileResponse {
    /// Short where only the timeout ends the exchange.
    fileprivate var timeout: Duration {
        isSilence ? .milliseconds(200) : .seconds(600)
    }

    fileprivate var isSilence: Bool {
        if case .error(let kinds) = outcome { kinds == [.timedOut] } else { false }
    }
}
#endif
