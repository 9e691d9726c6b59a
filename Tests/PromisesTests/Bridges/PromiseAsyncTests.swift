import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseAsyncTests {
    @Test func `a value, an error and both as a result`() async throws {
        #expect(try await Promise.fulfilled(1).value == 1)
        await #expect(throws: Sample.first) { try await Promise<Int>.rejected(Sample.first).value }
        #expect(try await Promise.fulfilled(1).result.get() == 1)
    }

    @Test func `many tasks wait for one promise`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await promise.value } }
            group.addTask {
                resolver.fulfill(2)
                return 0
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 100)
    }

    @Test func `cancelling the only task that waits cancels the promise`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let task = Task { try await promise.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(promise.isCancelled && resolver.isCancelled)
    }

    @Test func `cancelling one task leaves the promise to the others`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let branch = promise.then { $0 + 1 }
        let task = Task { try await promise.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(promise.isPending)
        resolver.fulfill(1)
        #expect(try await branch.value == 2)
    }

    @Test func `a task that is cancelled already still gets a settled value`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Promise.fulfilled(1).value
        }
        #expect(try await task.value == 1)
    }

    @Test func `no outcome leaves a task waiting`() async {
        for round in 0..<200 {
            let (promise, resolver) = Promise<Int>.pending()
            let task = Task { await promise.then { $0 }.result }
            switch round % 4 {
            case 0: resolver.fulfill(round)
            case 1: resolver.reject(Sample.first)
            case 2: task.cancel()
            default: promise.cancel()
            }
            switch (round % 4, await task.value) {
            case (0, .success(round)), (2..., .failure(is CancellationError)): break
            case (1, .failure(let error)): #expect(error as? Sample == .first)
            case (let kind, let result): Issue.record("outcome \(kind) gave \(result)")
            }
            withExtendedLifetime(resolver) {}
        }
    }
}

@Suite(.timeLimit(.minutes(60)))
struct WrapTests {
    private func load(
        _ result: Result<Int, any Error>,
        completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) { completion(result) }

    private func load(
        _ value: Int?, _ error: (any Error)?,
        completion: @escaping @Sendable (Int?, (any Error)?) -> Void
    ) { completion(value, error) }

    @Test func `a handler of a result`() async throws {
        let done = Promise.wrap { load(.success(1), completion: $0) }
        #expect(try await done.value == 1)
        let failed = Promise.wrap { load(.failure(Sample.first), completion: $0) }
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `a handler of a value or an error`() async throws {
        let done = Promise.wrap { load(1, nil, completion: $0) }
        #expect(try await done.value == 1)
        let failed = Promise.wrap { load(nil, Sample.first, completion: $0) }
        #expect(await failed.failure as? Sample == .first)
        let both = Promise.wrap { load(1, Sample.second, completion: $0) }
        #expect(await both.failure as? Sample == .second)
        let neither = Promise.wrap { load(nil, nil, completion: $0) }
        #expect(await neither.failure as? PromiseError == .noOutcome)
    }

    @Test func `a handler that is dropped rejects`() async {
        let dropped = Promise<Int>.wrap { (_: @Sendable (Result<Int, any Error>) -> Void) in }
        #expect(await dropped.failure as? PromiseError == .abandoned)
    }
}
