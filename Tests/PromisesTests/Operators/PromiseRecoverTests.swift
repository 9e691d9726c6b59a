import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseRecoverTests {
    private let failed = Promise<Int>.rejected(Sample.first)

    @Test func `to a value`() async throws {
        #expect(try await failed.recover { $0 as? Sample == .first ? 1 : 2 }.value == 1)
    }

    @Test func `to a promise`() async throws {
        #expect(try await failed.recover { _ in Promise { 3 } }.value == 3)
        let again = failed.recover { _ in Promise<Int>.rejected(Sample.second) }
        #expect(await again.failure as? Sample == .second)
    }

    @Test func `or to another error`() async {
        let end = failed.recover { _ -> Int in throw Sample.second }
        #expect(await end.failure as? Sample == .second)
    }

    @Test func `is skipped by values`() async throws {
        let log = Log<Int>()
        let end = Promise.fulfilled(5).recover { _ -> Int in
            log.add(1)
            return 0
        }
        #expect(try await end.value == 5)
        #expect(log.entries.isEmpty)
    }

    @Test func `goes on with then`() async throws {
        #expect(try await failed.recover { _ in 1 }.then { $0 + 1 }.value == 2)
    }

    @Test func `only from errors of a type`() async throws {
        #expect(try await failed.recover(only: Sample.self) { _ in 1 }.value == 1)
        #expect(try await failed.recover(only: Sample.self) { _ in .fulfilled(2) }.value == 2)
        let other = failed.recover(only: Detailed.self) { _ in 1 }
        #expect(await other.failure as? Sample == .first)
    }

    @Test func `only from one error`() async throws {
        #expect(try await failed.recover(only: Sample.first) { 1 }.value == 1)
        #expect(try await failed.recover(only: Sample.first) { .fulfilled(2) }.value == 2)
        let other = failed.recover(only: Sample.second) { 1 }
        #expect(await other.failure as? Sample == .first)
    }

    @Test func `not from cancellations unless asked for`() async throws {
        let cancelled = Promise<Int>.rejected(CancellationError())
        #expect(await cancelled.recover { _ in 1 }.failure is CancellationError)
        #expect(try await cancelled.recover(policy: .allErrors) { _ in 1 }.value == 1)
        #expect(try await cancelled.recover(policy: .allErrors) { _ in .fulfilled(2) }.value == 2)
    }
}
