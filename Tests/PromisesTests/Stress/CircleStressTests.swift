import Dispatch
import Foundation
import LarderPromises
import Testing

/// Circles that two threads close at the same moment.
@Suite(.timeLimit(.minutes(60)))
struct CircleStressTests {
    private static let factor =
        ProcessInfo.processInfo.environment["LARDER_STRESS"].flatMap(Int.init) ?? 1

    @Test func `each is rejected`() async {
        let rounds = 30_000 * Self.factor
        let members = (0..<rounds).map { _ in (Promise<Int>.pending(), Promise<Int>.pending()) }
        let barrier = Barrier()
        async let first: Void = onOwnThread {
            for (round, (one, other)) in members.enumerated() {
                barrier.pass(round)
                one.resolver.resolve(with: other.promise)
            }
        }
        async let second: Void = onOwnThread {
            for (round, (one, other)) in members.enumerated() {
                barrier.pass(round)
                // A little later each time, so that all parts of the two meet.
                for _ in 0..<round % 32 { barrier.look() }
                other.resolver.resolve(with: one.promise)
            }
        }
        _ = await (first, second)
        await drained()
        let pending = members.count { one, other in one.promise.isPending || other.promise.isPending
        }
        #expect(pending == 0)
    }
}
