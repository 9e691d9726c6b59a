import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Sessions, refreshes, requests and cancellations on many threads at once.
@Suite struct AuthorizationThreadsTests {
    /// What may hold of one moment, whichever thread sees it.
    private struct Counts {
        /// The token that the server takes.
        var token = 1
        var refreshes = 0
        var mostRefreshes = 0
        var sent: [String: Int] = [:]
    }

    private final class Server: Sendable {
        let counts = Guarded(Counts())

        /// Answers a request; each eighth token that comes is worn out by that.
        func response(to request: TransportRequest) -> TransportResponse {
            counts.withLock { counts in
                counts.sent[request.head.path ?? "", default: 0] += 1
                let isAccepted =
                    request.head.headerFields[.authorization] == "Bearer \(counts.token)"
                if isAccepted, counts.sent.count.isMultiple(of: 8) { counts.token += 1 }
                return .json("[]", status: isAccepted ? .ok : .unauthorized)
            }
        }

        func refresh() async -> Credential {
            counts.withLock { counts in
                counts.refreshes += 1
                counts.mostRefreshes = max(counts.mostRefreshes, counts.refreshes)
            }
            await Task.yield()
            return counts.withLock { counts in
                counts.refreshes -= 1
                return .bearer("\(counts.token)")
            }
        }
    }

    @Test(arguments: 0..<8)
    func `on many threads everything settles, and what is kept is what there is`(
        _ seed: UInt64
    ) async throws {
        let server = Server()
        let changes = Seen<Credential?>()
        let transport = StubTransport { server.response(to: $0) }
        let authorization = AuthorizationInterceptor(
            .bearer("0"), onChange: { changes.note($0) },
            refreshing: { _ in await server.refresh() })
        let client = try TestClient.client(over: transport) { $0.interceptors = [authorization] }
        let endsSessions = seed.isMultiple(of: 2)
        let settled = await withTaskGroup(of: Int.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var random = SplitMix(seed: seed &* 8 &+ UInt64(lane))
                    var count = 0
                    for number in 0..<25 {
                        let request = client.enqueue(
                            Resource("\(lane)/\(number)"), as: Data.self)
                        switch Int.random(in: 0..<10, using: &random) {
                        case 0, 1: request.cancel()
                        case 2 where endsSessions: authorization.logOut()
                        case 3 where endsSessions: authorization.logIn(.bearer("0"))
                        default: break
                        }
                        _ = try? await request.value
                        count += 1
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(settled == 200)
        let (most, sent) = server.counts.withLock { ($0.mostRefreshes, $0.sent) }
        #expect(sent.values.allSatisfy { $0 <= 2 })
        // A refresh of a session that has ended may have its end still before it.
        #expect(endsSessions || most == 1)
        // What is kept of a session goes first.
        while changes.values.last != .some(authorization.credential) { await Task.yield() }
    }
}
