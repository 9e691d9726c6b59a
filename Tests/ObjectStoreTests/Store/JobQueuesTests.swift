import Dispatch
import LarderPromises
import Testing

@testable import LarderObjectStore

struct JobQueuesTests {
    @Test func `runs so many jobs at a time, and the others in their order`() async {
        let queues = JobQueues(label: "test", width: 2)
        let (begun, beginning) = AsyncStream<Int>.makeStream()
        let goOn = (0..<6).map { _ in DispatchSemaphore(value: 0) }
        let running = Guarded((now: 0, most: 0))
        for (number, goOn) in goOn.enumerated() {
            queues.run {
                running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                beginning.yield(number)
                goOn.wait()
                running.withLock { $0.now -= 1 }
            }
        }
        var numbers = begun.makeAsyncIterator()
        let first = [await numbers.next(), await numbers.next()]
        #expect(first.compactMap(\.self).sorted() == [0, 1])
        // Each makes room for one.
        for number in 0..<4 {
            goOn[number].signal()
            #expect(await numbers.next() == number + 2)
        }
        for number in 4..<6 { goOn[number].signal() }
        #expect(running.withLock(\.most) == 2)
    }

    @Test(arguments: [nil, 2])
    func `a job may wait for a later one`(_ width: Int?) async {
        let queues = JobQueues(label: "test", width: width)
        let later = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            queues.run {
                later.wait()
                continuation.resume()
            }
            queues.run { later.signal() }
        }
    }

    @Test func `keeps a few queues, and lets the others go`() async {
        let count = JobQueues.maximumIdle + 4
        let queues = JobQueues(label: "test")
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (ended, ending) = AsyncStream<Void>.makeStream()
        let goOn = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            // Let go of once all is done that comes behind the job.
            let end = End { ending.yield() }
            queues.run {
                beginning.yield()
                goOn.wait()
                withExtendedLifetime(end) {}
            }
        }
        var begins = begun.makeAsyncIterator()
        for _ in 0..<count { await begins.next() }
        #expect(queues.idleCount == 0)
        for _ in 0..<count { goOn.signal() }
        var ends = ended.makeAsyncIterator()
        for _ in 0..<count { await ends.next() }
        #expect(queues.idleCount == JobQueues.maximumIdle)
    }

    private final class End: Sendable {
        private let onEnd: @Sendable () -> Void
        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }
}
