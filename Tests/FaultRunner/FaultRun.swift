import FaultVFS
import Foundation
import LarderObjectStore

/// Runs a scenario again and again, each time with the next call failing.
struct FaultRun {
    let kind: Int32
    let lasts: Bool
    let scenario: Scenario

    /// What each kind of fault is called on the command line.
    static let kinds: [String: Int32] = [
        "read": 1, "write": 2, "full": 3, "sync": 4, "open": 5, "lock": 6, "memory": 7,
    ]

    /// Makes the n-th call fail for n = `first`, `first + stride` … until there is no n-th call,
    /// and returns how many faults that were.
    ///
    /// - Throws: `Wrong` where a fault does damage, is not reported as it should, or stores half.
    func run(first: Int, stride: Int) throws -> Int {
        let workplace = try Workplace()
        if scenario.hasStore { try Scenario.prepare(workplace.path) }
        let template = scenario.hasStore ? try workplace.taken() : nil
        let states = try validStates(from: template, in: workplace)
        var n = first
        while true {
            try workplace.put(template)
            larder_fault_arm(kind, n, lasts ? 1 : 0)
            let failure = attempt(workplace.path)
            let calls = larder_fault_disarm()
            try inspect(workplace, after: failure, states, n)
            if calls < n { return (n - first) / stride }
            n += stride
        }
    }

    private func attempt(_ path: String) -> (any Error)? {
        do {
            try scenario.run(path)
            return nil
        } catch {
            return error
        }
    }

    /// What the file may hold: as it was, as it is in the end, and after each commit between.
    private func validStates(from template: Data?, in workplace: Workplace) throws -> [String] {
        try workplace.put(template)
        var states = template == nil ? [""] : [try Database(path: workplace.path).contents()]
        if scenario.name == "import-twice" {
            let store = try Library.open(workplace.path)
            try store.insert(Many<Book>.self, from: Library.books(60..<80))
            try store.close()
            states.append(try Database(path: workplace.path).contents())
            try workplace.put(template)
        }
        if scenario.name == "make-and-import" {
            try Library.open(workplace.path).close()
            states.append(try Database(path: workplace.path).contents())
            try workplace.put(template)
        }
        try scenario.run(workplace.path)
        states.append(try Database(path: workplace.path).contents())
        return states
    }

    private func inspect(
        _ workplace: Workplace, after failure: (any Error)?, _ states: [String], _ n: Int
    ) throws {
        let place = "\(scenario.name), call \(n)"
        if let failure, !(failure is StoreError) {
            throw Wrong("\(place): no StoreError but \(type(of: failure)): \(failure)")
        }
        guard FileManager.default.fileExists(atPath: workplace.path) else { return }
        let database = Database(path: workplace.path)
        if let damage = try database.damage() { throw Wrong("\(place): \(damage)") }
        let contents = try database.contents()
        guard states.contains(contents) else {
            throw Wrong("\(place): half stored after \(failure.map { "\($0)" } ?? "success")")
        }
        if failure == nil, contents != states.last {
            throw Wrong("\(place): reported as done, but not stored")
        }
        // Whatever failed, the next one who opens the store finds it in order.
        do {
            try scenario.run(workplace.path)
        } catch {
            throw Wrong("\(place): the next try failed: \(error)")
        }
    }
}
