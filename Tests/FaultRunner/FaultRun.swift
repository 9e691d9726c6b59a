import FaultVFS
import LarderObjectStore

/// Runs a scenario again and again, each time with another call failing.
struct FaultRun {
    let scenario: Scenario

    /// A kind of call that can fail.
    enum Kind: String, CaseIterable {
        case read, write, full, sync, open, lock, memory

        fileprivate var number: Int32 {
            let kind =
                switch self {
                case .read: LARDER_FAULT_READ
                case .write: LARDER_FAULT_WRITE
                case .full: LARDER_FAULT_FULL
                case .sync: LARDER_FAULT_SYNC
                case .open: LARDER_FAULT_OPEN
                case .lock: LARDER_FAULT_LOCK
                case .memory: LARDER_FAULT_MEMORY
                }
            return Int32(kind.rawValue)
        }
    }

    /// Makes calls of a kind fail: one at a time, and from one on all.
    ///
    /// - Parameter count: How many calls are tried, picked at random; all for nil.
    /// - Returns: How many faults that were.
    /// - Throws: `Wrong` where a fault does damage, is not reported as it should, or stores half.
    func run(_ kind: Kind, count: Int?, seed: UInt64) throws -> Int {
        if kind == .read, scenario.passesOverUnreadable { return 0 }
        let inspection = try Inspection(of: scenario)
        larder_fault_arm(kind.number, .max, 0)
        _ = try inspection.attempt()
        let total = larder_fault_disarm()
        var generator = Generator(state: seed)
        var faults = 0
        // SQLite itself waits ten seconds for the lock of a log that never comes free.
        for lasts in kind == .lock ? [false] : [false, true] {
            for n in generator.pick(count ?? total, upTo: total) {
                larder_fault_arm(kind.number, n, lasts ? 1 : 0)
                let outcome = try inspection.attempt()
                larder_fault_disarm()
                let place = "\(kind) \(n) of \(total)\(lasts ? " and all after it" : "")"
                if let failure = outcome.failure, !(failure is StoreError) {
                    throw Wrong(
                        "\(scenario.name), \(place): no StoreError but"
                            + " \(type(of: failure)): \(failure)")
                }
                let last = inspection.states.last
                // What reports a failure may have been stored all the same, as the last thing.
                let allowed =
                    outcome.failure == nil ? last...last : outcome.reached...(outcome.reached + 1)
                try inspection.check(allowed, after: outcome, place)
                faults += 1
            }
        }
        return faults
    }
}
