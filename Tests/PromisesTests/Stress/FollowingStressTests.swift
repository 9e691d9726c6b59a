import Foundation
import LarderPromises
import Testing

/// Cancellations that meet a promise just as it begins to wait for another one, of its handler.
@Suite(.timeLimit(.minutes(60)))
struct FollowingStressTests {
    private static let factor =
        ProcessInfo.processInfo.environment["LARDER_STRESS"].flatMap(Int.init) ?? 1

    private struct Member: Sendable {
        let source = Promise<Int>.pending()
        let inner = Promise<Int>.pending()
        let follower: Promise<Int>
        /// Another one's, of what the handler returns.
        let neighbour: Promise<Int>

        init() {
            let inner = inner.promise
            neighbour = inner.then(on: .immediate) { $0 + 1 }
            follower = source.promise.then(on: .immediate) { _ in inner }
        }
    }

    @Test func `leave others' handlers alone`() async throws {
        let members = (0..<30_000 * Self.factor).map { _ in Member() }
        let barrier = Barrier()
        async let settling: Void = onOwnThread {
            for (round, member) in members.enumerated() {
                barrier.pass(round)
                member.source.resolver.fulfill(1)
            }
        }
        async let cancelling: Void = onOwnThread {
            for (round, member) in members.enumerated() {
                barrier.pass(round)
                // A little later each time, so that all parts of the two meet.
                for _ in 0..<round % 32 { barrier.look() }
                member.follower.cancel()
            }
        }
        _ = await (settling, cancelling)
        for member in members {
            member.inner.resolver.fulfill(2)
            try #require(await member.neighbour.value == 3)
            try #require(await member.follower.failure is CancellationError)
        }
    }
}
