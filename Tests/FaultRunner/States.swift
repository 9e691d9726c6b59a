import Foundation

/// What a scenario may leave in the store's file: what was there before, what is there when the
/// store is open, and what each step makes of it.
struct States {
    private let contents: [String]

    /// Does the scenario without any fault, and notes what each part of it leaves.
    ///
    /// - Throws: `Wrong` where it leaves something open or damaged behind even so.
    init(of scenario: Scenario, in workplace: Workplace) throws {
        let database = Database(path: workplace.path)
        var contents = [try database.contents()]
        try scenario.run(in: workplace) { _ in contents.append(try database.contents()) }
        guard try database.contents() == contents.last else {
            throw Wrong("\(scenario.name): closing changes the store")
        }
        self.contents = contents
    }

    /// The number of the last state, from 0.
    var last: Int { contents.count - 1 }

    /// Whether contents are one of some states.
    func contain(_ found: String, in range: ClosedRange<Int>) -> Bool {
        contents[range.clamped(to: 0...last)].contains(found)
    }
}
