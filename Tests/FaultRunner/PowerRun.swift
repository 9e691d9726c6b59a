import FaultVFS
import Foundation
import LarderObjectStore

/// Runs a scenario and lets the power go in the middle of it: what was not synced is lost, or has
/// arrived in part.
struct PowerRun {
    let scenario: Scenario

    /// Stops at each write in turn, and looks at what the disk has then, in several ways that it
    /// may have it; returns how many times that was.
    ///
    /// - Throws: `Wrong` where the file is damaged or holds half a transaction.
    func run(stride: Int, seeds: Range<UInt32>) throws -> Int {
        let workplace = try Workplace()
        if scenario.hasStore { try Scenario.prepare(workplace.path) }
        let template = scenario.hasStore ? try workplace.taken() : nil
        try workplace.put(template)
        let before = template == nil ? "" : try Database(path: workplace.path).contents()
        try scenario.run(workplace.path)
        let after = try Database(path: workplace.path).contents()
        var count = 0
        var n = 1
        while true {
            var calls = 0
            for seed in seeds {
                try workplace.put(template)
                larder_fault_remember(1)
                larder_fault_arm(FaultRun.kinds["write"] ?? 2, n, 1)
                do { try scenario.run(workplace.path) } catch {}
                calls = larder_fault_disarm()
                guard larder_fault_lose_power(seed) == 0 else { throw Wrong("nothing written") }
                larder_fault_remember(0)
                try inspect(workplace, [before, after], "write \(n), seed \(seed)")
                count += 1
            }
            if calls < n { return count }
            n += stride
        }
    }

    private func inspect(
        _ workplace: Workplace, _ states: [String], _ place: String
    ) throws {
        // The index of the log is memory only; no power, no index.
        try? FileManager.default.removeItem(atPath: workplace.path + "-shm")
        let database = Database(path: workplace.path)
        if let damage = try database.damage() {
            throw Wrong("\(scenario.name), \(place): \(damage)")
        }
        let contents = try database.contents()
        // A store that was being made may have lost any of the transactions that made it.
        guard states.contains(contents) || !scenario.hasStore else {
            throw Wrong("\(scenario.name), \(place): half stored")
        }
        do {
            try scenario.run(workplace.path)
        } catch {
            throw Wrong("\(scenario.name), \(place): the next try failed: \(error)")
        }
    }
}
