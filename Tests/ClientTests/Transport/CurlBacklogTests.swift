#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Synchronization
import Testing

@testable import LarderClient

@Suite struct CurlBacklogTests {
    @Test func `exchanges come out in the order they went in, without those taken out`() {
        var backlog = CurlBacklog()
        var expected: [CurlExchange] = []
        var taken: [CurlExchange] = []
        for round in 0..<5000 {
            let exchange = Self.exchange()
            backlog.append(exchange)
            expected.append(exchange)
            if round % 3 == 0, let index = expected.indices.randomElement(),
                case .waiting(let place) = expected[index].stage
            {
                backlog.remove(at: place)
                expected.remove(at: index)
            }
            if round % 2 == 0, let first = backlog.popFirst() {
                taken.append(first)
                #expect(first === expected.removeFirst())
            }
            #expect(backlog.count == expected.count)
            #expect(backlog.isEmpty == expected.isEmpty)
        }
        while let first = backlog.popFirst() { #expect(first === expected.removeFirst()) }
        #expect(expected.isEmpty && backlog.isEmpty && backlog.placeCount == 0)
        #expect(taken.count > 1000)
    }

    @Test func `what has gone takes up no room, however long others wait`() {
        var backlog = CurlBacklog()
        for _ in 0..<10 { backlog.append(Self.exchange()) }
        for _ in 0..<5000 {
            backlog.append(Self.exchange())
            _ = backlog.popFirst()
            #expect(backlog.placeCount <= 65)
        }
        let others = (0..<20_000).map { _ in Self.exchange() }
        for other in others { backlog.append(other) }
        for other in others.reversed() {
            guard case .waiting(let place) = other.stage else { continue }
            backlog.remove(at: place)
        }
        #expect(backlog.count == 10)
        #expect(backlog.placeCount <= 65)
    }

    @Test func `an exchange that has ended is let go while others wait`() async throws {
        let server = try RawServer { connection in
            while true {
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            }
        }
        defer { server.stop() }
        let run = Lanes(
            CurlTransport(configuration: .init(maximumExchanges: 2)), to: server.baseURL)
        for _ in 0..<6 { run.send() }
        try await run.isOver.wait()
        // Six under way, and those whose completions are at work or being let go.
        #expect(run.most < 20)
    }

    private static func exchange() -> CurlExchange {
        CurlExchange(TransportRequest(head: .init(url: URL(filePath: "/"))), mailbox: CurlMailbox())
        {
            _ in
        }
    }
}

/// Requests one after the other in each lane, whose completions are counted as long as they are there.
private final class Lanes: Sendable {
    private let transport: CurlTransport
    private let baseURL: URL
    private let state = Mutex((sent: 0, ended: 0, alive: 0, most: 0))
    let isOver = Gate()

    init(_ transport: CurlTransport, to baseURL: URL) {
        self.transport = transport
        self.baseURL = baseURL
    }

    var most: Int { state.withLock(\.most) }

    func send() {
        let isEnough = state.withLock { state in
            state.sent += 1
            return state.sent > 1000
        }
        guard !isEnough else { return }
        let token = Token(of: self)
        transport.send(.to(baseURL)) { _ in
            withExtendedLifetime(token) { self.send() }
            if self.end() { self.isOver.open() }
        }
    }

    private func end() -> Bool {
        state.withLock { state in
            state.ended += 1
            return state.ended == 1000
        }
    }

    /// Is there as long as the completion that has taken it.
    private final class Token: Sendable {
        private let lanes: Lanes

        init(of lanes: Lanes) {
            self.lanes = lanes
            lanes.state.withLock { state in
                state.alive += 1
                state.most = max(state.most, state.alive)
            }
        }

        deinit { lanes.state.withLock { $0.alive -= 1 } }
    }
}
#endif
