import Testing

@testable import LarderPromises

@Suite(.timeLimit(.minutes(60)))
struct CancelTurnTests {
    private let executor = OracleExecutor()

    /// Returns the promise of a task that waits by now.
    private func waiting<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> Promise<Value> {
        let (promise, resolver) = Promise<Value>.pending()
        let task = Task(executorPreference: executor) {
            do {
                resolver.fulfill(try await operation())
            } catch {
                resolver.reject(error)
            }
        }
        resolver.onCancel(cancelling: task)
        executor.run()
        return promise
    }

    @Test func `what a task waits for is stopped before its other handlers run`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log<String>()
        resolver.onCancel { log.add("stopped") }
        let end = waiting {
            try await withTaskCancellationHandler {
                try await promise.value
            } onCancel: {
                log.add("handler: \(promise.isCancelled)")
                resolver.reject(Sample.first)
            }
        }
        end.cancel()
        executor.run()
        #expect(log.entries == ["stopped", "handler: true"])
        #expect(await promise.failure is CancellationError)
        #expect(await end.failure is CancellationError)
    }

    @Test func `all that a task waits for is stopped, in its order`() async {
        let log = Log<Int>()
        let sources = (0..<3).map { number in
            let (promise, resolver) = Promise<Int>.pending()
            resolver.onCancel { log.add(number) }
            return (promise: promise, resolver: resolver)
        }
        let members = sources.map(\.promise)
        let inner = waiting { try await members[0].value }
        let end = waiting {
            try await withTaskCancellationHandler {
                try await inner.value
            } onCancel: {
                members[1].cancelWithTask()
                members[2].cancelWithTask()
            }
        }
        end.finally(on: .immediate) { log.add(3) }
        end.cancel()
        executor.run()
        withExtendedLifetime(sources) { #expect(log.entries == [0, 1, 2, 3]) }
        #expect(members.allSatisfy(\.isCancelled) && inner.isCancelled)
    }

    /// Deeper than any stack has room for, in a loop.
    @Test func `what a row of tasks waits for has been stopped once the last is cancelled`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log<String>()
        resolver.onCancel { log.add("stopped") }
        var row = [promise]
        for place in 0..<100 {
            let before = row[place]
            row.append(waiting { try await before.value })
        }
        row[100].cancel()
        log.add("cancelled")
        executor.run()
        #expect(log.entries == ["stopped", "cancelled"])
        let areCancelled = row.allSatisfy(\.isCancelled)
        #expect(areCancelled)
    }

    @Test func `a branch that others wait for is left by a task that is cancelled`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let other = promise.then { $0 + 1 }
        let end = waiting { try await promise.value }
        end.cancel()
        executor.run()
        #expect(end.isCancelled && promise.isPending && !resolver.isCancelled)
        resolver.fulfill(1)
        #expect(try await other.value == 2)
    }

    @Test func `a task that a handler begins cancels others by itself`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let stops = Log<Int>()
        resolver.onCancel { stops.add(1) }
        let task = Task(executorPreference: executor) { try await promise.value }
        executor.run()
        let begun = Log<Task<Void, Never>>()
        let (never, keeper) = Promise<Int>.pending()
        let end = waiting {
            try await withTaskCancellationHandler {
                try await never.value
            } onCancel: {
                begun.add(Task { task.cancel() })
            }
        }
        end.cancel()
        await begun.entries.first?.value
        try #require(stops.count == 1)
        executor.run()
        await #expect(throws: CancellationError.self) { try await task.value }
        withExtendedLifetime((resolver, keeper)) {}
    }
}
