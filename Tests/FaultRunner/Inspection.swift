import Foundation
import LarderObjectStore

/// Looks at what a scenario has left behind that something went wrong in.
struct Inspection {
    let scenario: Scenario
    let workplace: Workplace
    let states: States
    /// The files that were there before.
    let template: [String: Data]

    /// What a run of the scenario came to.
    struct Outcome {
        /// The error that it ended with, nil for none.
        var failure: (any Error)?
        /// The number of the last state that was reported as reached, 0 for none.
        var reached = 0
    }

    /// The names of what may be in the folder besides.
    private static let beginnings = [
        "store.sqlite.damaged-", "store.sqlite.backup-", "store.sqlite-responses",
    ]

    /// Makes the files that the scenario starts from, and does it once without a fault.
    init(of scenario: Scenario) throws {
        self.scenario = scenario
        workplace = try Workplace()
        try scenario.prepare(workplace)
        template = try workplace.files()
        states = try States(of: scenario, in: workplace)
    }

    /// Does the scenario on fresh files.
    ///
    /// - Parameter begin: Runs once they are there.
    func attempt(survivesPowerLoss: Bool = false, begin: () throws -> Void = {}) throws -> Outcome {
        try workplace.put(template)
        try begin()
        var outcome = Outcome()
        do {
            try scenario.run(in: workplace, survivesPowerLoss: survivesPowerLoss) {
                outcome.reached = $0
            }
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    /// Checks that what the file holds is one of some states, that no file is damaged, half made or
    /// still open, and that the next one who does the same succeeds.
    func check(_ allowed: ClosedRange<Int>, after outcome: Outcome, _ place: String) throws {
        func wrong(_ text: String) -> Wrong {
            let end = outcome.failure.map { "\($0)" } ?? "success"
            return Wrong("\(scenario.name), \(place): \(text) (after \(end))")
        }
        let open = workplace.openFiles()
        guard open.isEmpty else { throw wrong("left open: \(open.sorted())") }
        // The index of the log is memory only; no process, no index.
        try? FileManager.default.removeItem(atPath: workplace.path + "-shm")
        let contents = try Database(path: workplace.path).contents()
        guard states.contain(contents, in: allowed) else {
            throw wrong("not one of the states \(allowed): \(contents.prefix(300))")
        }
        for name in try otherNames() {
            guard name.hasSuffix(".sqlite") || name.contains(".backup-") else {
                if Self.beginnings.contains(where: name.hasPrefix) { continue }
                throw wrong("left behind: \(name)")
            }
            let copy = try Database(path: workplace.url(name).path()).contents()
            guard states.contain(copy, in: 0...states.last) else { throw wrong("half: \(name)") }
        }
        do {
            try scenario.run(in: workplace)
        } catch {
            throw wrong("the next try failed: \(error)")
        }
    }

    /// The names of files that the scenario has made beside the store.
    private func otherNames() throws -> [String] {
        let own = ["", "-wal", "-shm", "-journal"].map { "store.sqlite" + $0 }
        return try workplace.names().subtracting(template.keys).subtracting(own).sorted()
    }
}
