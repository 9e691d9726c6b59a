import Dispatch
import Foundation
import Testing

@testable import LarderPromises

/// Handlers of the default scheduler that the thread which settles runs, or leaves.
@Suite(.timeLimit(.minutes(60)))
struct ReadyHandlersTests {
    private let log = Log<String>()

    /// Runs a body while a handler of the default scheduler holds all others up.
    private func whileBusy(_ body: @escaping @Sendable () -> Void) async {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let handler = Promise.fulfilled().then { () -> Void in
            begun.signal()
            end.wait()
        }
        await onOwnThread {
            begun.wait()
            body()
            end.signal()
        }
        _ = await handler.result
        await drained()
    }

    @Test func `handlers run where they are run, once they are`() async {
        let entries = await onOwnThread {
            let (promise, resolver) = Promise<Int>.pending()
            let end = promise.then { [log] in log.add("\($0)") }.then { [log] in log.add("next") }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            // Settled, and seen by everybody.
            log.add("\(promise.isFulfilled)")
            handlers.run()
            // Another thread may have been at it, and taken these along.
            while end.isPending { Thread.sleep(forTimeInterval: 0.001) }
            return log.entries
        }
        #expect(Set(entries.prefix(2)) == ["true", "1"] && entries.last == "next")
    }

    @Test func `what has been handed over runs elsewhere`() async {
        await onOwnThread { [log] in
            let (promise, resolver) = Promise<Int>.pending()
            let done = DispatchSemaphore(value: 0)
            promise.then { (_: Int) -> Void in
                log.add("handler")
                done.signal()
            }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            handlers.handOver()
            // Nothing else runs it, as this thread does not come back.
            done.wait()
        }
        #expect(log.entries == ["handler"])
    }

    @Test func `what is dropped is handed over`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let end = promise.then { $0 + 1 }
        do {
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
        }
        #expect(try await end.value == 2)
    }

    @Test func `where another thread runs handlers, it runs these, and nobody waits`() async {
        await whileBusy { [log] in
            let (promise, resolver) = Promise<Int>.pending()
            promise.then { _ in log.add("handler") }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            handlers.run()
            log.add("goes on")
        }
        #expect(log.entries == ["goes on", "handler"])
    }

    @Test func `they come behind those that are queued, in their order`() async {
        await whileBusy { [log] in
            let pairs = (0..<4).map { _ in Promise<Int>.pending() }
            for pair in pairs { pair.promise.then { log.add("\($0)") } }
            var handlers = ReadyHandlers()
            pairs[0].resolver.fulfill(0)
            pairs[1].resolver.fulfill(1, leaving: &handlers)
            pairs[2].resolver.fulfill(2, leaving: &handlers)
            handlers.run()
            pairs[3].resolver.fulfill(3)
        }
        #expect(log.entries == ["0", "1", "2", "3"])
    }

    @Test func `immediate handlers run at once, and those before them may be waited for`() async {
        await onOwnThread { [log] in
            let (first, second) = (Promise<Int>.pending(), Promise<Int>.pending())
            let done = DispatchSemaphore(value: 0)
            first.promise.then { (_: Int) -> Void in
                log.add("first")
                done.signal()
            }
            second.promise.then(on: .immediate) { (_: Int) -> Void in
                done.wait()
                log.add("immediate")
            }
            var handlers = ReadyHandlers()
            first.resolver.fulfill(1, leaving: &handlers)
            second.resolver.fulfill(2, leaving: &handlers)
            log.add("goes on")
        }
        #expect(log.entries == ["first", "immediate", "goes on"])
    }

    @Test func `an immediate handler may wait for one that comes behind it`() async {
        await onOwnThread { [log] in
            let (promise, resolver) = Promise<Int>.pending()
            let done = DispatchSemaphore(value: 0)
            promise.then(on: .immediate) { (_: Int) -> Void in
                done.wait()
                log.add("immediate")
            }
            promise.then { (_: Int) -> Void in
                log.add("behind")
                done.signal()
            }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
        }
        #expect(log.entries == ["behind", "immediate"])
    }

    @Test func `what an immediate handler attaches comes behind what was attached before`() async {
        await onOwnThread { [log] in
            let (promise, resolver) = Promise<Int>.pending()
            promise.then(on: .immediate) { (_: Int) -> Void in
                promise.then { _ in log.add("second") }
            }
            promise.then { _ in log.add("first") }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            handlers.run()
        }
        await drained()
        #expect(log.entries == ["first", "second"])
    }

    @Test func `what is attached once it has settled comes behind what was attached before`() async
    {
        await onOwnThread { [log] in
            let (promise, resolver) = Promise<Int>.pending()
            promise.then { _ in log.add("first") }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            promise.then { _ in log.add("second") }
            handlers.run()
        }
        await drained()
        #expect(log.entries == ["first", "second"])
    }

    @Test func `handlers of other schedulers go there`() async throws {
        let manual = ManualScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let end = promise.then(on: manual.scheduler) { $0 + 1 }
        var handlers = ReadyHandlers()
        resolver.fulfill(1, leaving: &handlers)
        handlers.run()
        #expect(end.isPending)
        manual.run()
        #expect(try await end.value == 2)
    }

    @Test func `a scheduler that runs handlers at once may wait for those before them`() async {
        await onOwnThread { [log] in
            let (first, second) = (Promise<Int>.pending(), Promise<Int>.pending())
            let mapped = first.promise.map { $0 + 1 }
            let beside = second.promise.map { $0 + 1 }
            second.promise.then(on: Scheduler { $0() }) { (_: Int) -> Void in
                log.add("\((try? mapped.wait()) ?? 0) \((try? beside.wait()) ?? 0)")
            }
            var handlers = ReadyHandlers()
            first.resolver.fulfill(1, leaving: &handlers)
            second.resolver.fulfill(2, leaving: &handlers)
        }
        #expect(log.entries == ["2 3"])
    }

    @Test func `what a scheduler attaches at once comes behind what was attached before`() async {
        await onOwnThread { [log] in
            let (promise, resolver) = Promise<Int>.pending()
            promise.then { _ in log.add("first") }
            promise.then(on: Scheduler { $0() }) { (_: Int) -> Void in
                promise.then { _ in log.add("second") }
            }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            handlers.run()
        }
        await drained()
        #expect(log.entries == ["first", "second"])
    }

    @Test func `a handler waits for no promise, wherever it runs`() async {
        let failure = await onOwnThread { () -> Promise<Int> in
            let (promise, resolver) = Promise<Int>.pending()
            let never = Promise<Int>.pending()
            let end = promise.then { (_: Int) -> Int in
                try withExtendedLifetime(never.resolver) { try never.promise.wait() }
            }
            var handlers = ReadyHandlers()
            resolver.fulfill(1, leaving: &handlers)
            handlers.run()
            return end
        }.failure
        #expect(failure as? PromiseError == .wouldDeadlock)
    }

    @Test func `what is settled already, or cancelled, leaves nothing`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let end = promise.then { $0 }
        promise.cancel()
        var handlers = ReadyHandlers()
        resolver.fulfill(1, leaving: &handlers)
        handlers.run()
        #expect(await end.failure is CancellationError)
    }

    /// The law: from however many threads, by whichever way, each handler runs once, no two at a time, and
    /// those that a thread has made ready in the order in which it did.
    @Test(arguments: 0..<20)
    func `each runs once, one at a time, in each thread's order`(seed: UInt64) async {
        let (threads, count) = (4, 200)
        let (inside, overlaps) = (Counter(), Counter())
        let orders = (0..<threads).map { _ in Log<Int>() }
        await withTaskGroup { group in
            for thread in 0..<threads {
                let order = orders[thread]
                group.addTask {
                    await onOwnThread {
                        var random = SplitMix(state: seed &* 31 &+ UInt64(thread))
                        var handlers = ReadyHandlers()
                        for number in 0..<count {
                            let (promise, resolver) = Promise<Int>.pending()
                            promise.then { (number: Int) -> Void in
                                if inside.add() != 1 { overlaps.add() }
                                order.add(number)
                                inside.add(-1)
                            }
                            switch Int.random(in: 0..<8, using: &random) {
                            case 0:
                                handlers.handOver()
                                resolver.fulfill(number)
                            case 1:
                                resolver.fulfill(number, leaving: &handlers)
                                handlers.handOver()
                            case 2, 3:
                                resolver.fulfill(number, leaving: &handlers)
                                handlers.run()
                            default:
                                resolver.fulfill(number, leaving: &handlers)
                            }
                        }
                    }
                }
            }
        }
        await drained()
        #expect(overlaps.value == 0)
        for order in orders { #expect(order.entries == Array(0..<count)) }
    }
}
