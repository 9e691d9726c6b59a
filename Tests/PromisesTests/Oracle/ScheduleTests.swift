#if DEBUG
import Foundation
import Testing

/// Small random programs whose threads interrupt each other between any two locked sections; what
/// comes of it has to be what comes of some order of whole steps in the oracle.
///
/// `LARDER_ORACLE_SEED` plays one program. `LARDER_ORACLE_TRACE` names each program before it is
/// played, should one end the process.
@Suite(.timeLimit(.minutes(60)))
struct ScheduleTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["LARDER_STRESS"] != nil

    /// What one program may come to, found as it is asked for.
    private struct Prospects {
        let program: OracleProgram
        private var known: Set<OracleFindings> = []
        private var order: UInt64 = 0

        init(of program: OracleProgram) {
            self.program = program
        }

        mutating func contain(_ found: OracleFindings) -> Bool {
            while !known.contains(found) {
                guard order < 20_000 else { return false }
                order += 1
                known.insert(OracleWorld.findings(of: program, order: order))
            }
            return true
        }
    }

    /// A schedule under which a program comes to something that it must not.
    private struct Fault: CustomStringConvertible {
        let program: OracleProgram
        let schedule: Schedule
        let found: OracleFindings

        var description: String {
            let expected = OracleWorld.findings(of: program, order: 1)
            return "\(program)\n\(schedule)\nfound    \(found)\nexpected \(expected), or the like"
        }
    }

    /// Plays one program under many schedules, until something is wrong.
    private final class Player {
        private let relay: Relay
        private var prospects: Prospects
        private var random: SplitMix
        private(set) var fault: Fault?

        init(_ program: OracleProgram, _ relay: Relay) {
            self.relay = relay
            prospects = Prospects(of: program)
            random = SplitMix(state: program.seed)
        }

        /// Plays the program, and returns at how many places it could have gone otherwise.
        @discardableResult
        func play(_ schedule: Schedule) -> Int {
            guard fault == nil else { return 0 }
            relay.follow(schedule)
            let found = OraclePromises.findings(of: prospects.program, relay)
            if !prospects.contain(found) {
                fault = Fault(program: prospects.program, schedule: schedule, found: found)
            }
            return relay.places
        }

        /// Every place for one change-over; then two, and three, at as many places as there is time.
        func playSwitches() {
            for first in 0...1 {
                let count = play(.switches(first: first, []))
                guard count > 0 else { continue }
                var pairs: [[Int]] = []
                for place in 1...count {
                    let more = play(.switches(first: first, [place]))
                    if more > place { pairs += (place + 1...more).map { [place, $0] } }
                }
                var triples: [[Int]] = []
                for pair in chosen(pairs, isLong ? 400 : 25) {
                    let more = play(.switches(first: first, pair))
                    if more > pair[1] { triples += (pair[1] + 1...more).map { pair + [$0] } }
                }
                for triple in chosen(triples, isLong ? 400 : 10) {
                    play(.switches(first: first, triple))
                }
            }
        }

        private func chosen(_ all: [[Int]], _ count: Int) -> ArraySlice<[Int]> {
            all.shuffled(using: &random).prefix(count)
        }

        func playRandom() {
            for _ in 0..<(isLong ? 500 : 30) { play(.random(random.next())) }
        }
    }

    private static func first(
        _ programs: [OracleProgram], _ fault: (OracleProgram) -> Fault?
    ) -> Fault? {
        for program in programs {
            if let fault = fault(program) { return fault }
        }
        return nil
    }

    private func search(
        _ seeds: Range<UInt64>, threads: Int, _ play: @escaping @Sendable (Player) -> Void
    ) async {
        var seeds = seeds
        if let seed = Self.environment["LARDER_ORACLE_SEED"].flatMap(UInt64.init) {
            seeds = seed..<seed + 1
        }
        let fault = await onOwnThread { [seeds] () -> String? in
            let relay = Relay(threads: threads)
            defer { relay.stop() }
            func fault(of program: OracleProgram) -> Fault? {
                if Self.environment["LARDER_ORACLE_TRACE"] != nil { print(program) }
                let player = Player(program, relay)
                play(player)
                return player.fault
            }
            for seed in seeds {
                guard var found = fault(of: OracleProgram(seed: seed, threads: threads)) else {
                    continue
                }
                while let smaller = Self.first(found.program.smaller, fault) { found = smaller }
                return found.description
            }
            return nil
        }
        if let fault { Issue.record("\(fault)") }
    }

    @Test func `two threads do no harm wherever they interrupt each other`() async {
        await search(1..<(Self.isLong ? 2_000 : 80), threads: 2) { $0.playSwitches() }
    }

    @Test func `three threads do no harm wherever they interrupt each other`() async {
        await search(1..<(Self.isLong ? 2_000 : 80), threads: 3) { $0.playRandom() }
    }
}
#endif
