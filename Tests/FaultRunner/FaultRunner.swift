import FaultVFS
import Foundation

/// Lets things go wrong in a process of its own: `FaultRunner MODE …`, where a mode is
///
///     faults KIND SCENARIO STRIDE   every STRIDE-th call of a kind fails in turn
///     power SCENARIO STRIDE         power goes at every STRIDE-th write
///     kills COUNT SEED              a process that imports and deletes is killed
///     kill-migrations COUNT SEED    a process that migrates is killed
///
/// It ends with 0 where everything held, and says how much was tried.
@main
enum FaultRunner {
    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("FAILED: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        func argument(_ index: Int) -> String {
            index < arguments.count ? arguments[index] : ""
        }
        func number(_ index: Int) -> Int { Int(argument(index)) ?? 1 }
        switch argument(0) {
        case "faults":
            larder_fault_install()
            let kind = FaultRun.kinds[argument(1)] ?? 0
            let scenario = try scenario(argument(2))
            var count = 0
            // SQLite itself waits ten seconds for the lock of a log that never comes free.
            for lasts in argument(1) == "lock" ? [false] : [false, true] {
                count += try FaultRun(kind: kind, lasts: lasts, scenario: scenario)
                    .run(first: 1, stride: number(3))
            }
            print("\(count) faults")
        case "power":
            larder_fault_install()
            let run = PowerRun(scenario: try scenario(argument(1)))
            print("\(try run.run(stride: number(2), seeds: 0..<3)) losses of power")
        case "kills":
            var run = try KillRun(seed: UInt64(number(2)))
            print("\(number(1)) kills, \(try run.killWriters(number(1))) transactions")
        case "kill-migrations":
            var run = try KillRun(seed: UInt64(number(2)))
            print("\(number(1)) kills, \(try run.killMigrations(number(1))) done before")
        case "writer": try Writer.run(argument(1))
        case "migrate": try Writer.migrate(argument(1))
        case "scenarios": print(Scenario.all.map(\.name).joined(separator: "\n"))
        default: throw Wrong("no mode \(argument(0))")
        }
    }

    private static func scenario(_ name: String) throws -> Scenario {
        guard let scenario = Scenario.all.first(where: { $0.name == name }) else {
            throw Wrong("no scenario \(name)")
        }
        return scenario
    }
}
