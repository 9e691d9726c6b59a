import Dispatch
import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SchedulerTests {
    private func marked(_ label: String) -> (queue: DispatchQueue, isCurrent: @Sendable () -> Bool)
    {
        let queue = DispatchQueue(label: label)
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        return (queue, { DispatchQueue.getSpecific(key: key) == true })
    }

    @Test func `handlers run on the queue that is named`() async throws {
        let (queue, isCurrent) = marked("named")
        let end = Promise.fulfilled(1)
            .then(on: .queue(queue)) { _ in isCurrent() }
            .then { (was: Bool) in [was, isCurrent()] }
        #expect(try await end.value == [true, false])
    }

    @Test func `every operator takes a scheduler`() async throws {
        let manual = ManualScheduler()
        let on = manual.scheduler
        let log = Log<String>()
        let failed = Promise<Int>.rejected(Sample.first)
        failed.catch(on: on) { _ in log.add("catch") }
        failed.recover(on: on) { _ in
            log.add("recover")
            return 1
        }
        failed.finally(on: on) { log.add("finally") }
        failed.tap(on: on) { _ in log.add("tap") }
        _ = Promise.fulfilled(1).validate(on: on) { _ in
            log.add("validate")
            return true
        }
        await drained()
        #expect(log.entries.isEmpty)
        #expect(manual.run() == 5)
        #expect(log.entries == ["catch", "recover", "finally", "tap", "validate"])
    }

    @Test func `a chain crosses to its scheduler once`() async throws {
        let hops = Log<Int>()
        let queue = DispatchQueue(label: "hops")
        let counting = Scheduler { job in
            hops.add(1)
            queue.async(execute: job)
        }
        let (promise, resolver) = Promise<Int>.pending()
        var end = promise
        for _ in 0..<100 { end = end.then(on: counting) { $0 + 1 } }
        resolver.fulfill(0)
        #expect(try await end.value == 100)
        #expect(hops.count == 1)
    }

    @Test func `two schedulers of one queue are one`() async throws {
        let queue = DispatchQueue(label: "shared")
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log<Int>()
        let end = promise.then(on: .queue(queue)) { (value: Int) -> Int in
            queue.async { log.add(2) }
            return value
        }.then(on: .queue(queue)) { (_: Int) in log.add(1) }
        resolver.fulfill(0)
        try await end.value
        queue.sync {}
        #expect(log.entries == [1, 2])
    }

    @Test func `immediate handlers run before attaching and settling return`() {
        let log = Log<String>()
        Promise.fulfilled(1).then(on: .immediate) { (_: Int) in log.add("attached") }
        #expect(log.entries == ["attached"])
        let (promise, resolver) = Promise<Int>.pending()
        promise.then(on: .immediate) { $0 }.then(on: .immediate) { (_: Int) in log.add("settled") }
        resolver.fulfill(1)
        #expect(log.entries == ["attached", "settled"])
    }

    @Test func `handlers of several schedulers keep their order on each`() async throws {
        let first = ManualScheduler()
        let second = ManualScheduler()
        let log = Log<Int>()
        let (promise, resolver) = Promise<Int>.pending()
        for number in 0..<6 {
            let scheduler = number.isMultiple(of: 2) ? first.scheduler : second.scheduler
            promise.then(on: scheduler) { (_: Int) in log.add(number) }
        }
        resolver.fulfill(1)
        second.run()
        first.run()
        #expect(log.entries == [1, 3, 5, 0, 2, 4])
    }

    @Test func `a job runs once, however often it is called`() async throws {
        let log = Log<Int>()
        let twice = Scheduler { job in
            job()
            job()
        }
        let end = Promise.fulfilled(1).then(on: twice) { (value: Int) in log.add(value) }
        try await end.value
        #expect(log.entries == [1])
    }

    @Test func `the main queue and the main actor`() async throws {
        let onMain = Promise.fulfilled().then(on: .main) {
            MainActor.assumeIsolated { true }
        }
        #expect(try await onMain.value)
        let failed = Promise<Int>.rejected(Sample.first)
            .recover(on: MainActor.shared) { _ in
                MainActor.assertIsolated()
                return 4
            }
        #expect(try await failed.value == 4)
    }
}
