import Dispatch
import Foundation
import LarderPromises
import Testing

/// Set `LARDER_STRESS` to a factor for longer runs: 40 gives a million promises.
private let factor = ProcessInfo.processInfo.environment["LARDER_STRESS"].flatMap(Int.init) ?? 1

@Suite(.timeLimit(.minutes(60)))
struct SettlingStressTests {
    @Test func `eight threads at once settle each promise once`() async throws {
        let count = 25_000 * factor
        let promises = (0..<count).map { _ in Promise<Int>.pending() }
        let calls = (0..<count).map { _ in Counter() }
        for (index, member) in promises.enumerated() {
            member.promise.finally(on: .immediate) { calls[index].add(1) }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 8) { thread in
                    for member in promises {
                        switch thread % 4 {
                        case 0: member.resolver.fulfill(thread)
                        case 1: member.resolver.reject(Sample.first)
                        case 2: member.resolver.resolve(with: Promise.fulfilled(thread))
                        default: member.promise.cancel()
                        }
                    }
                }
                continuation.resume()
            }
        }
        #expect(promises.allSatisfy { !$0.promise.isPending })
        #expect(calls.allSatisfy { $0.value == 1 })
    }

    @Test func `handlers attached while others settle all run once`() async throws {
        let count = 2_000 * factor
        for _ in 0..<count / 100 {
            let calls = Counter()
            let members = (0..<100).map { _ in Promise<Int>.pending() }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for member in members { member.promise.tap { _ in calls.add(1) } }
                    }
                }
                group.addTask { for member in members { member.resolver.fulfill(1) } }
            }
            await drained()
            #expect(calls.value == 400)
        }
    }
}
