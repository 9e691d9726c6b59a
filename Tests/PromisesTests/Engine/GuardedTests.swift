import Dispatch
import Testing

@testable import LarderPromises

struct GuardedTests {
    @Test func `many threads count without losing one`() {
        let box = Box()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 { box.count.withLock { $0 += 1 } }
        }
        #expect(box.count.withLock { $0 } == 8_000)
    }

    @Test func `an error leaves it unlocked`() {
        let box = Box()
        #expect(throws: Sample.first) { try box.count.withLock { _ in throw Sample.first } }
        #expect(box.count.withLock { $0 } == 0)
    }

    private final class Box: Sendable {
        let count = Guarded(0)
    }
}
