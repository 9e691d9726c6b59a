import Foundation
import LarderObjectStore

/// Runs a scenario again and again, each time with another limit of how large a file may become.
struct SizeRun {
    let scenario: Scenario

    /// Tries limits from nothing to more than what the scenario writes.
    ///
    /// - Returns: How many of them it failed at.
    /// - Throws: `Wrong` where a limit does damage, is not reported as a full disk, or stores half.
    func run(count: Int) throws -> Int {
        let inspection = try Inspection(of: scenario)
        try checkFirstRebuild(inspection)
        var failures = 0
        for number in 0..<count {
            // Dense where files are small, and never at a page's end alone.
            let share = Double(number) / Double(max(count - 1, 1))
            let limit = UInt64(share * share * 600_000) + UInt64(number % 3)
            let outcome = try inspection.attempt { try Self.limit(to: limit) }
            try Self.limit(to: nil)
            let place = "at most \(limit) bytes a file"
            if let failure = outcome.failure {
                failures += 1
                guard let error = failure as? StoreError else {
                    throw Wrong("\(scenario.name), \(place): no StoreError but \(failure)")
                }
                guard error.reason == .full else {
                    throw Wrong("\(scenario.name), \(place): not called full: \(error)")
                }
            }
            let last = inspection.states.last
            let allowed =
                outcome.failure == nil ? last...last : outcome.reached...(outcome.reached + 1)
            try inspection.check(allowed, after: outcome, place)
        }
        return failures
    }

    /// Throws where the limit ends a process instead of its first call, a rebuild.
    private func checkFirstRebuild(_ inspection: Inspection) throws {
        guard scenario.name == "rebuild" else { return }
        try inspection.workplace.put(inspection.template)
        let child = try Child(["rebuild", inspection.workplace.path])
        let line = child.line()
        child.end()
        guard line == "full" else { throw Wrong("a first rebuild: \(line ?? "ended")") }
    }

    /// Rebuilds a store with no room for the index of the log, which is the first file that SQLite makes.
    static func rebuild(_ path: String) throws {
        try limit(to: 16_384)
        do {
            _ = try Library.rebuild(path, .impatient)
            print("rebuilt")
        } catch let error as StoreError where error.reason == .full {
            print("full")
        }
    }

    /// Sets the limit of this process as `ulimit -f` does, none for nil.
    private static func limit(to size: UInt64?) throws {
        #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
        #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #endif
        var limits = rlimit()
        getrlimit(resource, &limits)
        limits.rlim_cur = size.map { rlim_t($0) } ?? limits.rlim_max
        guard setrlimit(resource, &limits) == 0 else { throw Wrong("the limit can't be set") }
    }
}
