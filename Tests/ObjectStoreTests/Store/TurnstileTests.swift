import Dispatch
import Testing

@testable import LarderObjectStore

struct TurnstileTests {
    @Test func `lets so many through and the others in their order`() {
        let turnstile = Turnstile(width: 2)
        let seen = UncheckedBox<[Int]>([])
        for number in 0..<5 { turnstile.enter { seen.value.append(number) } }
        #expect(seen.value == [0, 1])
        #expect(turnstile.waitingCount == 3)
        turnstile.leave()
        #expect(seen.value == [0, 1, 2])
        for _ in 0..<4 { turnstile.leave() }
        #expect(seen.value == [0, 1, 2, 3, 4])
        #expect(turnstile.waitingCount == 0)
    }

    @Test func `a place can be given up until its turn has come`() {
        let turnstile = Turnstile(width: 1)
        let seen = UncheckedBox<[Int]>([])
        let first = turnstile.enter { seen.value.append(1) }
        let second = turnstile.enter { seen.value.append(2) }
        turnstile.enter { seen.value.append(3) }
        #expect(!turnstile.withdraw(first))
        #expect(turnstile.withdraw(second))
        #expect(!turnstile.withdraw(second))
        turnstile.leave()
        #expect(seen.value == [1, 3])
    }

    @Test func `a thread waits for its turn, or as long as it may`() {
        let turnstile = Turnstile(width: 1)
        #expect(turnstile.enter())
        #expect(!turnstile.enter(atMost: .milliseconds(1)))
        #expect(turnstile.waitingCount == 0)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "test").async {
            if turnstile.enter() { turnstile.leave() }
            done.signal()
        }
        turnstile.leave()
        #expect(done.wait(timeout: .farAway) == .success)
        #expect(turnstile.enter(atMost: .milliseconds(1)))
    }

    @Test func `a thread waits for as long as it takes, unless that is given up`() {
        let turnstile = Turnstile(width: 1)
        #expect(turnstile.enter { _ in Issue.record("it need not wait") })
        let willWait = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let giveUp = UncheckedBox<(@Sendable () -> Void)?>(nil)
        let hasEntered = UncheckedBox<[Bool]>([])
        for _ in 0..<2 {
            DispatchQueue(label: "test").async {
                let isInside = turnstile.enter {
                    giveUp.value = $0
                    willWait.signal()
                }
                hasEntered.value.append(isInside)
                done.signal()
            }
            #expect(willWait.wait(timeout: .farAway) == .success)
            if hasEntered.value.isEmpty { giveUp.value?() } else { turnstile.leave() }
            #expect(done.wait(timeout: .farAway) == .success)
            giveUp.value?()
        }
        #expect(hasEntered.value == [false, true])
        #expect(turnstile.waitingCount == 0)
    }

    @Test func `however many wait, each has its turn in order but those that gave it up`() {
        let turnstile = Turnstile(width: 1)
        #expect(turnstile.enter())
        let seen = UncheckedBox<[Int]>([])
        let tickets = (0..<20_000).map { number in turnstile.enter { seen.value.append(number) } }
        for number in stride(from: 0, to: 20_000, by: 3) {
            #expect(turnstile.withdraw(tickets[number]))
        }
        #expect(turnstile.waitingCount == 13_333)
        for _ in 0..<13_333 { turnstile.leave() }
        #expect(seen.value == (0..<20_000).filter { $0 % 3 != 0 })
        #expect(turnstile.waitingCount == 0)
        turnstile.leave()
        #expect(turnstile.enter(atMost: .milliseconds(1)))
    }

    /// By the square of the number it would be 64 times.
    @Test func `eight times as many who wait take some eight times as long`() {
        func seconds(_ count: Int) -> Double {
            processorSeconds {
                let turnstile = Turnstile(width: 1)
                #expect(turnstile.enter())
                let seen = UncheckedBox(0)
                let tickets = (0..<count).map { _ in turnstile.enter { seen.value += 1 } }
                for number in stride(from: 0, to: count, by: 5) {
                    _ = turnstile.withdraw(tickets[number])
                }
                while seen.value < count - count / 5 { turnstile.leave() }
                turnstile.leave()
            }
        }
        let (few, many) = (seconds(5_000), seconds(40_000))
        #expect(many < 24 * max(few, 0.02), "\(few) s, \(many) s")
    }

    @Test func `many threads never are more than its width`() {
        let turnstile = Turnstile(width: 1)
        let count = UncheckedBox(0)
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            guard turnstile.enter() else { return }
            let before = count.value
            count.value = before + 1
            turnstile.leave()
        }
        #expect(count.value == 100)
    }
}
