import Dispatch
import Testing

@testable import LarderPromises

@Suite(.timeLimit(.minutes(60)))
struct WaitBanTests {
    /// Runs `body` outside of tasks.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Promise { resolver in
            DispatchQueue.global().async { resolver.resolve(with: Result { try body() }) }
        }.value
    }

    @Test func `wait refuses to block a thread that must not wait`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        await #expect(throws: PromiseError.wouldDeadlock) {
            try await onThread { try WaitBan.perform { try promise.wait() } }
        }
        #expect(promise.isPending)
        #expect(try await onThread { try WaitBan.perform { try Promise.fulfilled(1).wait() } } == 1)
        withExtendedLifetime(resolver) {}
    }

    @Test func `the ban is over with the work, and does not reach its tasks`() async throws {
        let states = try await onThread { () -> ([Bool], Task<Bool, Never>) in
            let before = WaitBan.isInForce
            let (during, task) = WaitBan.perform { (WaitBan.isInForce, Task { WaitBan.isInForce }) }
            return ([before, during, WaitBan.isInForce], task)
        }
        #expect(states.0 == [false, true, false])
        #expect(await !states.1.value)
    }
}
