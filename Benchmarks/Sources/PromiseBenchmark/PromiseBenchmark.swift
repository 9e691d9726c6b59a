/// Measures Larder's promises against NIO, OpenCombine and tasks, all in one run.
///
/// `swift run -c release PromiseBenchmark [chains a round] [rounds] [only this side]`; ratios are Larder's time over the
/// other's, PromiseKit's from figures taken elsewhere (it is not among the packages to build with).
@main
enum PromiseBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let count = arguments.first ?? 200_000
        let rounds = arguments.dropFirst().first ?? 7
        let only = CommandLine.arguments.dropFirst().first { Int($0) == nil }
        let contests = [
            Contest(
                title: "settled chain of four: value, promise, value, terminal", links: 4,
                sides: [
                    LarderSides.settled, NIOSides.settled, OpenCombineSides.settled,
                    TaskSides.one, LarderSides.settledFromOutside,
                ],
                promiseKit: (took: 7_900, whereNIOTook: 725)),
            Contest(
                title: "deferred chain of three", links: 3,
                sides: [LarderSides.deferred, NIOSides.deferred, OpenCombineSides.deferred],
                promiseKit: (took: 12_100, whereNIOTook: 850)),
        ]
        if let only {
            // One side alone, for a profiler.
            let side = contests.flatMap(\.sides).first { $0.name == only }
            print(try await side?.run(count) ?? 0)
            return
        }
        for contest in contests {
            let report = try await Report(contest, count: count, rounds: rounds)
            print(report.lines.joined(separator: "\n"))
        }
    }
}
