import FaultVFS
import Foundation
import LarderPromises

/// Lets things go wrong in a process of its own, called as `FaultRunner MODE …`.
///
/// COUNT is how many calls, moments or kills are tried; `all` tries every call.
///
///     faults KIND SCENARIO COUNT    calls of a kind fail, `disk` for all kinds but memory
///     sizes SCENARIO COUNT          no file may become larger than some size
///     power SCENARIO COUNT          power goes at writes and syncs
///     kills COUNT SEED              a process that imports and deletes is killed
///     kill-migrations COUNT SEED    a process that migrates is killed
///     kill-pulls URL TOTAL COUNT SEED
///                                   a process that pulls lines from a server is killed
///     kill-downloads URL COUNT SEED a process that downloads a file from a server is killed
///     kill-cookies COUNT SEED       a process that keeps cookies in a file is killed
///     visits COUNT                  processes open, write and close what another one keeps open
///     exchange URL FIRST MILLISECONDS LIMIT VERSION
///                                   a client fetches what a server has, after what another one has
///     cancels URL COUNT SEED        requests of a client are cancelled at random moments
///     streams URL AUTHORITY PATH COUNT SIZE
///                                   responses are read as they come, one of them after all others
///     concurrency SECONDS           four threads read, one writes, live queries follow
///     reject [quietly]              a promise is rejected that nobody handles
///     scenarios                     lists what can be done
///
/// It ends with 0 where everything held, and says how much was tried.
@main
enum FaultRunner {
    private static let seed: UInt64 = 5

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
            let run = FaultRun(scenario: try scenario(argument(2)))
            let kinds = FaultRun.Kind(rawValue: argument(1)).map { [$0] }
            larder_fault_install()
            for kind in kinds ?? FaultRun.Kind.allCases.filter({ $0 != .memory }) {
                let count = try run.run(kind, count: Int(argument(3)), seed: seed)
                print("\(argument(2)): \(count) faults of \(kind)")
            }
        case "sizes":
            let run = SizeRun(scenario: try scenario(argument(1)))
            let outcome = try run.run(count: number(2))
            print("\(argument(1)): \(number(2)) limits, \(outcome) of them too small")
        case "power":
            let run = PowerRun(scenario: try scenario(argument(1)))
            larder_fault_install()
            let count = try run.run(count: Int(argument(2)), seed: seed)
            print("\(argument(1)): \(count) losses of power")
        case "kills":
            var run = try KillRun(seed: UInt64(number(2)))
            print("\(number(1)) kills, \(try run.killWriters(number(1))) transactions")
        case "kill-migrations":
            var run = try KillRun(seed: UInt64(number(2)))
            let migrations = try run.killMigrations(number(1))
            print("\(number(1)) kills, \(migrations.begun) amid, \(migrations.done) done before")
        case "kill-pulls":
            var run = try PullRun(at: argument(1), total: number(2), seed: UInt64(number(4)))
            print(number(3), try run.kill(number(3)))
        case "kill-downloads":
            var run = try DownloadRun(at: argument(1), seed: UInt64(number(3)))
            print("\(number(2)) kills, \(try run.kill(number(2))) files")
        case "kill-cookies":
            var run = try CookieRun(seed: UInt64(number(2)))
            print("\(number(1)) kills, cookies kept \(try run.kill(number(1))) times")
        case "concurrency": try ConcurrencyRun().run(seconds: number(1))
        case "visits":
            try VisitRun().run(rounds: number(1))
            print("\(number(1)) visits")
        case "exchange":
            let run = try ExchangeRun(
                milliseconds: number(3), limit: number(4), version: argument(5))
            try run.run(at: argument(1), after: argument(2))
        case "cancels":
            try CancelRun(at: argument(1)).run(count: number(2), seed: UInt64(number(3)))
        case "streams":
            try StreamRun(at: argument(1), authority: argument(2))
                .run(argument(3), count: number(4), size: number(5))
        case "reject": reject(quietly: argument(1) == "quietly")
        case "visit": try VisitRun.visit(argument(1), number(2))
        case "writer": try Writer.run(argument(1))
        case "pull": try PullRun.pull(argument(1), argument(2))
        case "download":
            try DownloadRun.download(
                argument(1), argument(2), holdingBehind: Int(argument(3)))
        case "keep-cookies": try CookieRun.keep(argument(1))
        case "migrate": try Writer.migrate(argument(1))
        case "rebuild": try SizeRun.rebuild(argument(1))
        case "scenarios": print(Scenario.all.map(\.name).joined(separator: "\n"))
        default: throw Wrong("no mode \(argument(0))")
        }
    }

    /// As in a program that has not said whether such promises are told of, or that they are not.
    private static func reject(quietly: Bool) {
        if quietly { UnhandledRejection.report(to: nil) }
        _ = Promise<Int>.rejected(Wrong("nobody looks"))
        print("went on")
    }

    private static func scenario(_ name: String) throws -> Scenario {
        guard let scenario = Scenario.all.first(where: { $0.name == name }) else {
            throw Wrong("no scenario \(name)")
        }
        return scenario
    }
}
