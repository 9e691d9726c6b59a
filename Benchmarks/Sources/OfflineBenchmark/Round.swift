import Foundation
import Larder
import Synchronization

/// How long each of many took, one after the other: the median by the clock on the wall, and all of them by the
/// processor's, which other programs on the machine disturb less.
struct Round {
    let seconds: Double
    let processorSeconds: Double

    private init(_ times: [Duration], since processor: clock_t) {
        seconds = times.sorted()[times.count / 2] / .seconds(1)
        processorSeconds =
            Double(clock() - processor) / Double(CLOCKS_PER_SEC) / Double(times.count)
    }

    /// Measures calls.
    static func of(_ count: Int, _ call: () throws -> Void) rethrows -> Round {
        let (start, wall) = (clock(), ContinuousClock())
        var times: [Duration] = []
        for _ in 0..<count { times.append(try wall.measure(call)) }
        return Round(times, since: start)
    }

    /// Measures requests, each from where it is enqueued to where its handler begins, which enqueues the next.
    ///
    /// - Parameter check: Throws where a value is not what it should be.
    static func of<Value: Sendable>(
        _ count: Int, enqueue: @escaping @Sendable () -> Promise<Value>,
        check: @escaping @Sendable (Value) throws -> Void
    ) throws -> Round {
        let start = clock()
        let requests = Requests(count, enqueue: enqueue, check: check)
        return Round(try requests.perform(), since: start)
    }
}

/// Requests one after the other.
private final class Requests<Value: Sendable>: Sendable {
    private let count: Int
    private let enqueue: @Sendable () -> Promise<Value>
    private let check: @Sendable (Value) throws -> Void
    private let times = Mutex<Result<[Duration], any Error>>(.success([]))
    private let done = DispatchSemaphore(value: 0)

    init(
        _ count: Int, enqueue: @escaping @Sendable () -> Promise<Value>,
        check: @escaping @Sendable (Value) throws -> Void
    ) {
        (self.count, self.enqueue, self.check) = (count, enqueue, check)
    }

    func perform() throws -> [Duration] {
        next()
        done.wait()
        return try times.withLock(\.self).get()
    }

    private func next() {
        let start = ContinuousClock.now
        enqueue().map { value -> Void in
            let time = ContinuousClock.now - start
            try self.check(value)
            if self.note(time) { self.done.signal() } else { self.next() }
        }.catch(policy: .allErrors) { error in
            self.times.withLock { $0 = .failure(error) }
            self.done.signal()
        }
    }

    /// Notes a time, and says whether it is the last.
    private func note(_ time: Duration) -> Bool {
        times.withLock { result in
            guard case .success(var times) = result else { return true }
            result = .success([])
            times.append(time)
            defer { result = .success(times) }
            return times.count == count
        }
    }
}
