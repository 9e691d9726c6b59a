#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// HTTP/2 by prior knowledge, from a server that sends what it likes.
@Suite struct HostileFramesTests {
    @Test(arguments: HostileFrames.all)
    func `hostile frames end in what they deserve`(_ hostile: HostileFrames) async throws {
        let requests = Seen<UInt32>()
        let server = try Self.server(sending: hostile, requests)
        defer { server.stop() }
        let request = TransportRequest.to(
            server.baseURL, timeout: hostile.timeout, limits: HostileResponse.limits)
        let result: Result<TransportResponse, any Error>
        do {
            result = .success(try await Self.transport().response(to: request))
        } catch {
            result = .failure(error)
        }
        switch (hostile.outcome, result) {
        case (.response(let status, let count), .success(let response)):
            #expect(response.head.status.code == status)
            #expect(response.body.count == count)
        case (.error(let kinds), .failure(let error as TransportError)):
            #expect(kinds.contains(error.reason), "\(error.reason): \(error)")
        case (.either, .success(let response)):
            #expect(!response.head.headerFields.contains(.named("x-split")))
        case (.either, .failure(let error as TransportError)):
            #expect(error.reason != .timedOut && error.reason != .other)
        default:
            Issue.record("\(hostile.outcome) expected, \(result) came")
        }
        // What was not looked at goes out once more, and no oftener.
        #expect(requests.count <= 2)
    }

    @Test(arguments: HostileFrames.all)
    func `nothing of refused frames is stored`(_ hostile: HostileFrames) async throws {
        guard case .error = hostile.outcome else { return }
        let server = try Self.server(sending: hostile)
        defer { server.stop() }
        let client = try TestClient.client(
            over: Self.transport(), at: server.baseURL.absoluteString
        ) {
            $0.timeout = hostile.timeout
            $0.limits = HostileResponse.limits
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        await #expect(throws: ClientError.self) { try await users.value }
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `after all hostile frames, in any order, a good response is as good`() async throws {
        let transport = Self.transport(maximumExchanges: 1)
        let good = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true { try peer.answer(try peer.request()) }
        }
        defer { good.stop() }
        for hostile in HostileFrames.all.shuffled() where !hostile.isSilence {
            let server = try Self.server(sending: hostile)
            defer { server.stop() }
            let request = TransportRequest.to(server.baseURL, limits: HostileResponse.limits)
            _ = await transport.error(of: request)
            let response = try await transport.response(to: TransportRequest.to(good.baseURL))
            #expect(response.body == Data("[]".utf8), "after \(hostile.name)")
        }
    }

    static func transport(maximumExchanges: Int = 128) -> CurlTransport {
        var configuration = CurlTransport.Configuration(maximumExchanges: maximumExchanges)
        configuration.httpVersions = .priorKnowledge
        return CurlTransport(configuration: configuration)
    }

    private static func server(
        sending hostile: HostileFrames, _ requests: Seen<UInt32> = Seen()
    ) throws -> RawServer {
        try RawServer(serve(hostile, requests))
    }

    static func serve(
        _ hostile: HostileFrames, _ requests: Seen<UInt32> = Seen()
    ) -> @Sendable (RawServer.Connection) throws -> Void {
        { connection in
            let peer = try HTTP2Peer(connection, greeting: hostile.greeting)
            requests.note(try peer.request())
            try peer.send(hostile.bytes)
            if hostile.staysOpen || hostile.isAnswered { peer.waitForClose() }
        }
    }
}

extension HostileFrames {
    /// Short where only the timeout ends the exchange.
    fileprivate var timeout: Duration {
        isSilence ? .milliseconds(200) : .seconds(60)
    }

    /// Whether there is nothing to wait for, so that the server's hanging up plays no part.
    fileprivate var isAnswered: Bool {
        switch outcome {
        case .response: true
        case .error(let kinds): !kinds.contains(.connectionLost)
        case .either: false
        }
    }

    fileprivate var isSilence: Bool {
        if case .error(let kinds) = outcome { kinds == [.timedOut] } else { false }
    }
}
#endif
