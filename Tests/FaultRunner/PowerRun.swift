import FaultVFS
import LarderObjectStore

/// Runs a scenario and lets the power go in the middle of it: what was not synced is lost, or has
/// arrived in part.
struct PowerRun {
    let scenario: Scenario

    /// Stops at writes and syncs, and looks at what the disk has then, in several ways that it may
    /// have it; each with a store that survives this and one that may lose its last transactions.
    ///
    /// - Parameter count: How many moments are tried, picked at random; all for nil.
    /// - Returns: How many times the power has gone.
    /// - Throws: `Wrong` where the file is damaged, holds half a transaction, or has lost what it
    ///   should not.
    func run(count: Int?, seed: UInt64) throws -> Int {
        let inspection = try Inspection(of: scenario)
        var generator = Generator(state: seed)
        var losses = 0
        for survives in [false, true] {
            larder_fault_arm(Int32(LARDER_FAULT_POWER.rawValue), .max, 1)
            _ = try inspection.attempt(survivesPowerLoss: survives)
            let total = larder_fault_disarm()
            for n in generator.pick(count ?? total, upTo: total) {
                for arrival in 0..<UInt32(3) {
                    try lose(at: n, arrival, survives, inspection)
                    losses += 1
                }
            }
        }
        return losses
    }

    private func lose(
        at n: Int, _ arrival: UInt32, _ survives: Bool, _ inspection: Inspection
    ) throws {
        larder_fault_remember(1)
        larder_fault_arm(Int32(LARDER_FAULT_POWER.rawValue), n, 1)
        let outcome = try inspection.attempt(survivesPowerLoss: survives)
        larder_fault_disarm()
        guard larder_fault_lose_power(arrival) == 0 else { throw Wrong("nothing written") }
        larder_fault_remember(0)
        let earliest = survives ? outcome.reached : 0
        try inspection.check(
            earliest...max(outcome.reached, min(outcome.reached + 1, inspection.states.last)),
            after: outcome,
            "power lost at \(n), arrival \(arrival), \(survives ? "to be survived" : "plain")")
    }
}
