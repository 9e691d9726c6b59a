import Dispatch
import Foundation
import LarderPromises
import Testing

/// Random histories of a server, a client and a network, against rules in words.
///
/// What a history may be is in ``HistoryStep``; the laws are in `HistoryRun+Laws`: rows are of who is logged in, and
/// of what the server has said; nothing is deleted that the server has had all along; once the network is back, the
/// rows are the server's; what the store answers is what it has by then, and what the server says is still good is what
/// that had said; each call settles, and asks nobody where it is not to; each history played twice is the same twice.
///
/// Known, and so not held against the client: a whole list that was made before an object and comes after it
/// takes it away, as rows have no versions; what comes last counts, be it older. An object can slip through
/// between the pages of both walks through a list that the server counts. What a cache on the way has had takes
/// nothing away. Tokens tell nothing of what is let go here, or stored late.
///
/// `LARDER_HISTORY_SEED` is the first seed, `LARDER_HISTORY_COUNT` how many histories there are; with
/// `LARDER_STRESS=1` there are a million.
@Suite struct HistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let firstSeed = environment["LARDER_HISTORY_SEED"].flatMap(UInt64.init) ?? 1
    private static let count =
        environment["LARDER_HISTORY_COUNT"].flatMap(Int.init)
        ?? (environment["LARDER_STRESS"] == "1" ? 1_000_000 : 500)
    private static let mostFailures =
        environment["LARDER_HISTORY_FAILURES"].flatMap(Int.init) ?? 1

    /// Of each four, one in each.
    @Test(arguments: 0..<4)
    func `after the network has been back the rows are the server's, whatever has happened`(
        _ part: Int
    ) async {
        let clock = ContinuousClock()
        let start = clock.now
        var failures = 0
        var tally: [String: Int] = [:]
        for offset in stride(from: part, to: Self.count, by: 4)
        where failures < Self.mostFailures {
            let seed = Self.firstSeed &+ UInt64(offset)
            let program = HistoryPrograms.program(seed: seed)
            let result = await Self.play(program)
            if result.violation != nil {
                failures += 1
                await Self.report(program, seed: seed, after: offset + 1)
                continue
            }
            tally.merge(result.tally, uniquingKeysWith: +)
            let again = await Self.play(program)
            if result.trace != again.trace {
                failures += 1
                let line = zip(result.trace, again.trace).first { $0.0 != $0.1 }
                let what = line.map { "'\($0.0)' is '\($0.1)'" } ?? "it is longer or shorter"
                Issue.record("seed \(seed): played again, \(what)\n\(program)")
            }
            if offset % 10_000 >= 9_996 { print("histories: \(offset + 1) agree") }
        }
        for (what, count) in tally.sorted(by: { $0.key < $1.key }) { print("  \(count) \(what)") }
        print(
            "histories: seeds from \(Self.firstSeed), \(Self.count) histories, \(clock.now - start)"
        )
    }

    private static func play(_ program: HistoryProgram) async -> HistoryResult {
        let network = HistoryNetwork(program)
        let watch = HistoryWatch(network)
        defer { watch.end() }
        return program.isText
            ? await HistoryRun<Card>.play(program, over: network)
            : await HistoryRun<Sheet>.play(program, over: network)
    }

    private static func report(_ program: HistoryProgram, seed: UInt64, after count: Int) async {
        var shrinker = HistoryShrinker(program) { await play($0).violation != nil }
        await shrinker.shrink()
        let result = await play(shrinker.program)
        let whole = await play(program)
        guard let (step, what) = result.violation ?? whole.violation else {
            Issue.record("seed \(seed), history \(count) fails, and not again\n\(program)")
            return
        }
        Issue.record(
            """
            seed \(seed), history \(count), step \(step): \(what)
            \(shrinker.program)
            \(result.trace.joined(separator: "\n"))
            """)
    }
}

/// Gives up a history in which nothing goes on any more.
private final class HistoryWatch: Sendable {
    private static let queue = DispatchQueue(label: "larder.tests.history")
    private static let patience = DispatchTimeInterval.seconds(300)
    private let network: HistoryNetwork
    private let hasEnded = Guarded(false)

    init(_ network: HistoryNetwork) {
        self.network = network
        look(after: -1)
    }

    func end() { hasEnded.withLock { $0 = true } }

    private func look(after count: Int) {
        Self.queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self, !self.hasEnded.withLock(\.self) else { return }
            let now = self.network.waitCount
            if now == count { return self.network.giveUp() }
            self.look(after: now)
        }
    }
}
