#if DEBUG
import Foundation
import LarderPromises
import Testing

/// Small random graphs of promises; while one thread settles a source, another cancels a member
/// between every two locked sections in turn.
///
/// What has to hold is said of the graph, and not by the product's own rules: a waiter is cancelled
/// only by a cancellation of it or of something above it, or with all that waited; every other one
/// hears its source's value; nothing is left pending.
@Suite(.timeLimit(.minutes(60)))
struct InterleavingTests {
    private static let programs =
        ProcessInfo.processInfo.environment["LARDER_STRESS"] == nil ? 2_000 : 200_000

    /// A graph: two sources, chains that go from the first to the second, others that wait for the
    /// second, and the member that is cancelled.
    struct Program: Sendable, CustomStringConvertible {
        enum Link: String, CaseIterable, Sendable {
            case then, recover, finally, race, all
        }

        var seed: UInt64
        var links: [Link]
        var others: Int
        var victim: Int
        var settlesSecondFirst: Bool

        init(seed: UInt64) {
            var generator = SplitMix(state: seed)
            self.seed = seed
            links = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                Link.allCases.randomElement(using: &generator) ?? .then
            }
            others = Int.random(in: 0...3, using: &generator)
            victim = Int.random(in: 0..<links.count, using: &generator)
            settlesSecondFirst = Int.random(in: 0..<4, using: &generator) == 0
        }

        var description: String {
            "seed \(seed): \(links.map(\.rawValue)), \(others) others, cancels \(victim)"
                + (settlesSecondFirst ? ", the second source has settled" : "")
        }

        /// Programs that are smaller by one thing.
        var smaller: [Program] {
            var all: [Program] = []
            for index in links.indices where links.count > 1 {
                var copy = self
                copy.links.remove(at: index)
                copy.victim = min(copy.victim, copy.links.count - 1)
                all.append(copy)
            }
            if others > 0 {
                var copy = self
                copy.others -= 1
                all.append(copy)
            }
            return all
        }

        /// Runs the program with the cancellation at each place, and returns what was wrong.
        func faults() -> [String] {
            let faults = Log<String>()
            Intrusion.everywhere { intrude in run(intrude: intrude, faults) }
            return faults.entries
        }

        private func run(
            intrude: (() -> Void, @escaping @Sendable () -> Void) -> Void, _ faults: Log<String>
        ) {
            let (first, firstResolver) = Promise<Int>.pending()
            let (second, secondResolver) = Promise<Int>.pending()
            if settlesSecondFirst { secondResolver.fulfill(2) }
            let heard = Log<Int?>()
            for _ in 0..<others { second.tap(on: .immediate) { heard.add(try? $0.get()) } }
            var members: [Promise<Int>] = []
            for link in links {
                members.append(Self.attach(link, to: members.last ?? first, second))
            }
            let ends = Counter()
            for member in members { member.finally(on: .immediate) { ends.add() } }
            let victim = members[victim]
            intrude {
                firstResolver.fulfill(1)
            } _: {
                victim.cancel()
            }
            secondResolver.fulfill(2)
            firstResolver.fulfill(1)
            if heard.entries != Array(repeating: 2, count: others) {
                faults.add("others heard \(heard.entries)")
            }
            if ends.value != members.count { faults.add("\(ends.value) ends") }
            if members.contains(where: \.isPending) { faults.add("something is pending") }
        }

        private static func attach(
            _ link: Link, to parent: Promise<Int>, _ second: Promise<Int>
        ) -> Promise<Int> {
            switch link {
            case .then: parent.then(on: .immediate) { _ in second }
            case .recover:
                parent.then(on: .immediate) { _ -> Int in throw Sample.first }
                    .recover(on: .immediate) { _ in second }
            case .finally: parent.finally(on: .immediate) { second }
            case .race: Promise.race(parent, second)
            case .all: Promise.all([parent, second]).then(on: .immediate) { $0[1] }
            }
        }
    }

    @Test func `a cancellation at any place does harm to nobody else`() {
        for seed in 1...UInt64(Self.programs) {
            var program = Program(seed: seed)
            guard !program.faults().isEmpty else { continue }
            while let smaller = program.smaller.first(where: { !$0.faults().isEmpty }) {
                program = smaller
            }
            Issue.record("\(program): \(program.faults())")
            return
        }
    }
}
#endif
