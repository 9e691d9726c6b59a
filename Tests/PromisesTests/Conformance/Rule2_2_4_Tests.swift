import LarderPromises
import Testing

/// Calls `handler` on either outcome.
private func attach(to promise: Promise<Int>, _ handler: @escaping @Sendable () -> Void) {
    promise.tap { _ in handler() }
}

/// Notes what runs while a piece of code is on the stack of the one thread of the scheduler.
private func order(
    of body: @escaping @Sendable (_ handler: @escaping @Sendable () -> Void) -> Void
) async -> [String] {
    let log = Log<String>()
    await onScheduler {
        log.add("begin")
        body { log.add("handler") }
        log.add("end")
    }
    return log.entries
}

private func stackRows(for side: Settlement) -> [Row] {
    let clean = ["begin", "end", "handler"]
    return [
        Row("\(side): attached to a settled promise") {
            let seen = await order { handler in
                let (promise, resolver) = Promise<Int>.pending()
                side.apply(to: resolver)
                attach(to: promise, handler)
            }
            #expect(seen == clean)
        },
        Row("\(side): settled after attaching") {
            let seen = await order { handler in
                let (promise, resolver) = Promise<Int>.pending()
                attach(to: promise, handler)
                side.apply(to: resolver)
            }
            #expect(seen == clean)
        },
        Row("\(side): settled by an executor that goes on") {
            let seen = await order { handler in
                let promise = Promise<Int> { resolver in side.apply(to: resolver) }
                attach(to: promise, handler)
            }
            #expect(seen == clean)
        },
        Row("\(side): attached inside a handler of the same promise") {
            let seen = await order { handler in
                let (promise, resolver) = Promise<Int>.pending()
                side.apply(to: resolver)
                attach(to: promise) { attach(to: promise, handler) }
            }
            #expect(seen == clean)
        },
        Row("\(side): settled inside a handler of another promise") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            attach(to: promise) { log.add("handler") }
            await onScheduler {
                log.add("begin")
                side.apply(to: resolver)
                log.add("end")
            }
            #expect(log.entries == clean)
        },
        Row("\(side): a nested promise that is settled") {
            let log = Log<String>()
            let end = Promise.fulfilled(1).then { _ -> Promise<Int> in
                log.add("begin")
                let (inner, resolver) = Promise<Int>.pending()
                side.apply(to: resolver)
                attach(to: inner) { log.add("handler") }
                log.add("end")
                return inner
            }
            _ = await end.result
            await drained()
            #expect(log.entries == clean)
        },
        Row("\(side): settled on another thread, not on its stack") {
            let manual = ManualScheduler()
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            promise.tap(on: manual.scheduler) { _ in log.add("handler") }
            await Task { side.apply(to: resolver) }.value
            #expect(log.entries.isEmpty && manual.count == 1)
            manual.run()
            #expect(log.entries == ["handler"])
        },
        Row("\(side): a chain behind it, not on the stack of its first handler") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            let end = promise.tap { _ in
                log.add("begin")
                log.add("end")
            }.tap { _ in log.add("handler") }
            side.apply(to: resolver)
            _ = await end.result
            #expect(log.entries == clean)
        },
    ]
}

@Suite(
    "2.2.4: handlers never run while the code that attached or settled is on the stack",
    .timeLimit(.minutes(60)))
struct Rule2_2_4_Tests {
    static var rows: [Row] {
        Settlement.allCases.flatMap(stackRows(for:))
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
