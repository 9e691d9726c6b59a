#if DEBUG
import Foundation

@testable import LarderPromises

/// Threads of which one runs at a time, and hands over to another only between two locked sections,
/// where a schedule says so; so a run can be repeated.
///
/// `@unchecked Sendable`: all is guarded by the condition.
final class Relay: @unchecked Sendable {
    private static let nobody = -1

    private let condition = NSCondition()
    private var works: [(@Sendable () -> Void)?]
    private var turn = Relay.nobody
    private var visits = 0
    private var choices: [Int] = []
    private var schedule = Schedule.random(0)
    private var random = SplitMix(state: 0)

    init(threads: Int) {
        works = Array(repeating: nil, count: threads)
        for own in 0..<threads {
            Thread.detachNewThread { self.serve(as: own) }
        }
    }

    /// Ends the threads.
    func stop() {
        condition.withLock {
            works = []
            condition.broadcast()
        }
    }

    /// How the next run goes.
    func follow(_ schedule: Schedule) {
        self.schedule = schedule
    }

    /// The places of the last run where another thread could have gone on.
    var places: Int { condition.withLock { choices.last ?? 0 } }

    /// Does each of these on a thread of its own.
    func run(_ works: [@Sendable () -> Void]) {
        guard !works.isEmpty else { return }
        condition.withLock {
            for (index, work) in works.enumerated() { self.works[index] = work }
            visits = 0
            choices = []
            if case .random(let seed) = schedule { random = SplitMix(state: seed) }
            turn = first
            condition.broadcast()
            while turn != Self.nobody { condition.wait() }
        }
    }

    private var first: Int {
        switch schedule {
        case .switches(let first, _): first
        case .random: Int.random(in: 0..<works.count, using: &random)
        }
    }

    private func serve(as own: Int) {
        while work(as: own) { finish() }
    }

    /// Waits for the turn and works; false when the threads are to end.
    private func work(as own: Int) -> Bool {
        let work: (@Sendable () -> Void)? = condition.withLock {
            while turn != own, !works.isEmpty { condition.wait() }
            return works.isEmpty ? nil : works[own]
        }
        guard let work else { return false }
        YieldPoint.$visit.withValue({ self.visit() }, operation: work)
        condition.withLock { works[own] = nil }
        return true
    }

    private func finish() {
        condition.withLock {
            turn = works.firstIndex { $0 != nil } ?? Self.nobody
            condition.broadcast()
        }
    }

    private func visit() {
        condition.withLock {
            visits += 1
            let own = turn
            let others = works.indices.filter { $0 != own && works[$0] != nil }
            guard !others.isEmpty else { return }
            choices.append(visits)
            guard let next = next(of: others) else { return }
            turn = next
            condition.broadcast()
            while turn != own { condition.wait() }
        }
    }

    private func next(of others: [Int]) -> Int? {
        switch schedule {
        case .switches(_, let places): places.contains(visits) ? others.first : nil
        case .random:
            Int.random(in: 0..<4, using: &random) == 0
                ? others.randomElement(using: &random) : nil
        }
    }
}
#endif
