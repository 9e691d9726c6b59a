import Dispatch
import Foundation
import LarderPromises
import Testing

/// Random programs, played by promises and by the oracle.
///
/// Where several things may run at the same time, one of the orders that the oracle tries has to
/// lead to what the promises did. `LARDER_ORACLE_SEED` plays one program.
@Suite(.timeLimit(.minutes(60)))
struct OracleTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let programs = environment["LARDER_STRESS"] == nil ? 1 : 100

    /// What the promises did, if no order of the oracle leads to it.
    private static func fault(
        of program: OracleProgram, _ standard: Scheduler, _ isOnMainActor: Bool
    ) async -> OracleFindings? {
        let found = await OraclePromises.findings(
            of: program, on: standard, isOnMainActor: isOnMainActor)
        for order in 0..<UInt64(300)
        where OracleWorld.findings(of: program, order: order) == found {
            return nil
        }
        return found
    }

    private func check(
        _ seeds: Range<UInt64>, _ places: [OracleProgram.Place], standard: Scheduler = .default,
        isOnMainActor: Bool = false
    ) async {
        var seeds = seeds
        if let seed = Self.environment["LARDER_ORACLE_SEED"].flatMap(UInt64.init) {
            seeds = seed..<seed + 1
        }
        for seed in seeds {
            var program = OracleProgram(seed: seed, places: places)
            guard var found = await Self.fault(of: program, standard, isOnMainActor) else {
                continue
            }
            var isSmallest = false
            while !isSmallest {
                isSmallest = true
                for smaller in program.smaller {
                    guard let fault = await Self.fault(of: smaller, standard, isOnMainActor) else {
                        continue
                    }
                    (program, found, isSmallest) = (smaller, fault, false)
                    break
                }
            }
            let expected = OracleWorld.findings(of: program, order: 0)
            Issue.record("\(program)\nfound    \(found)\nexpected \(expected)")
            return
        }
    }

    @Test func `promises do what the rules say, by hand`() async {
        await check(1..<UInt64(4_000 * Self.programs), [.immediate, .manual])
    }

    @Test func `promises do what the rules say, on the default scheduler`() async {
        await check(1..<UInt64(300 * Self.programs), [.immediate, .manual, .standard, .standard])
    }

    @Test func `promises do what the rules say, on a queue`() async {
        await check(
            1..<UInt64(300 * Self.programs), [.immediate, .manual, .standard, .standard],
            standard: .queue(DispatchQueue(label: "oracle")))
    }

    @Test func `promises do what the rules say, on the main actor`() async {
        await check(
            1..<UInt64(300 * Self.programs), [.immediate, .manual, .standard, .standard],
            standard: .main, isOnMainActor: true)
    }
}
