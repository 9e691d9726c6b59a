import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Random programs, against an oracle that is slow and knows no tricks.
///
/// `LARDER_ORACLE_SEED` is the first seed, `LARDER_ORACLE_COUNT` how many programs there are; with
/// `LARDER_STRESS=1` there are a million.
struct OracleTests {
    /// An object that the same document makes one of a kind that requires more: one program in 700,000.
    @Test func `what a document's end asks of an object is what its kind by then requires`() {
        var programs = OraclePrograms(seed: 690_305)
        if case .disagreement(let step, let what)? = OracleRun.outcome(of: programs.program()) {
            Issue.record("step \(step): \(what)")
        }
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let firstSeed = environment["LARDER_ORACLE_SEED"].flatMap(UInt64.init) ?? 1
    private static let count =
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init)
        ?? (environment["LARDER_STRESS"] == "1" ? 1_000_000 : 3_000)

    @Test func `random programs come out of the store as they come out of the oracle`() async {
        var failures = 0
        let clock = ContinuousClock()
        let start = clock.now
        for offset in 0..<Self.count {
            // Others that run in the same few threads wait for one program at most.
            await Task.yield()
            let seed = Self.firstSeed &+ UInt64(offset)
            var programs = OraclePrograms(seed: seed)
            let program = programs.program()
            switch OracleRun.outcome(of: program) {
            case .agreement: break
            case nil: Issue.record("seed \(seed) makes no model")
            case .disagreement:
                failures += 1
                Self.report(program, seed: seed, after: offset + 1)
            }
            if failures >= (Self.environment["LARDER_ORACLE_FAILURES"].flatMap(Int.init) ?? 1) {
                break
            }
            if offset % 10_000 == 9_999 { print("oracle: \(offset + 1) programs agree") }
        }
        print(
            "oracle: seeds from \(Self.firstSeed), \(Self.count) programs, \(clock.now - start)")
    }

    private static func report(_ program: OracleProgram, seed: UInt64, after count: Int) {
        var shrinker = OracleShrinker(program)
        shrinker.shrink()
        guard case .disagreement(let step, let message) = OracleRun.outcome(of: shrinker.program)
        else { return }
        Issue.record(
            "seed \(seed), program \(count), step \(step): \(message)\n\(shrinker.program)")
    }
}
