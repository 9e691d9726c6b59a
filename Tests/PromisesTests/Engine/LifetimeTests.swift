import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LifetimeTests {
    private let ends = Log<String>()

    private func witness(_ name: String = "ended") -> Witness {
        Witness { [ends] in ends.add(name) }
    }

    @Test func `a handler is let go once it has run`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let end = attach(to: promise)
        #expect(ends.entries.isEmpty)
        resolver.fulfill(1)
        #expect(try await end.value == 1)
        await drained()
        #expect(ends.entries == ["ended"])
        withExtendedLifetime(promise) {}
    }

    @Test func `a handler that is passed over is let go`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let end = attach(to: promise)
        resolver.reject(Sample.first)
        _ = await end.result
        await drained()
        #expect(ends.entries == ["ended"])
    }

    @Test func `a cancelled handler is let go`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let end = attach(to: promise)
        end.cancel()
        _ = await end.result
        await drained()
        #expect(ends.entries == ["ended"])
        withExtendedLifetime((promise, resolver)) {}
    }

    @Test func `a cancelled branch does not stay with a promise that goes on`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let sibling = promise.then { $0 }
        for _ in 0..<100 { attach(to: promise).cancel() }
        await drained()
        #expect(ends.count == 100)
        withExtendedLifetime((sibling, resolver)) {}
    }

    @Test func `a chain is freed when its resolver is gone`() async {
        do {
            let (promise, resolver) = Promise<Int>.pending()
            attach(to: promise).catch { _ in }
            withExtendedLifetime(resolver) {}
        }
        await drained()
        #expect(ends.entries == ["ended"])
    }

    @Test func `cancel handlers are let go when the promise is resolved`() {
        let (promise, resolver) = Promise<Int>.pending()
        addHandler(to: resolver)
        #expect(ends.entries.isEmpty)
        resolver.fulfill(1)
        #expect(ends.entries == ["ended"])
        withExtendedLifetime((promise, resolver)) {}
    }

    @Test func `a settled promise does not hold what came before it`() async throws {
        var end: Promise<Int>? = Promise.fulfilled(witness()).then { (held: Witness) -> Int in
            held.touch()
            return 1
        }
        #expect(try await end?.value == 1)
        await drained()
        #expect(ends.entries == ["ended"])
        end = nil
    }

    @Test func `a value lives as long as its promise`() async throws {
        var promise: Promise<Witness>? = Promise.fulfilled(witness())
        #expect(ends.entries.isEmpty)
        _ = promise?.isFulfilled
        promise = nil
        #expect(ends.entries == ["ended"])
    }

    @Test func `a chain runs on although its end was dropped`() async throws {
        let log = Log<Int>()
        let (promise, resolver) = Promise<Int>.pending()
        do { promise.then { (value: Int) in value + 1 }.then { (value: Int) in log.add(value) } }
        resolver.fulfill(1)
        await drained()
        #expect(log.entries == [2])
    }

    @Test func `a race that is over leaves the losers alone`() async throws {
        let (slow, resolver) = Promise<Int>.pending()
        for _ in 0..<10 { #expect(try await Promise.race([slow, .fulfilled(1)]).value == 1) }
        #expect(slow.isPending && !slow.isCancelled)
        resolver.fulfill(2)
        #expect(try await slow.value == 2)
    }

    @Test func `a scheduler that throws its jobs away rejects`() async {
        let manual = ManualScheduler()
        let log = Log<Int>()
        let end = Promise.fulfilled(1)
            .then(on: manual.scheduler) { (value: Int) -> Int in value }
            .then(on: manual.scheduler) { (value: Int) in log.add(value) }
        manual.discard()
        #expect(await end.failure as? PromiseError == .abandoned)
        #expect(log.entries.isEmpty)
    }

    @Test func `a scheduler that is gone rejects`() async {
        var manual: ManualScheduler? = ManualScheduler()
        guard let scheduler = manual?.scheduler else { return }
        let end = Promise.fulfilled(1).then(on: scheduler) { $0 }
        manual?.discard()
        manual = nil
        #expect(await end.failure as? PromiseError == .abandoned)
    }

    private func attach(to promise: Promise<Int>) -> Promise<Int> {
        let held = witness()
        return promise.then { (value: Int) -> Int in
            held.touch()
            return value
        }
    }

    private func addHandler(to resolver: Resolver<Int>) {
        let held = witness()
        resolver.onCancel { held.touch() }
    }
}
