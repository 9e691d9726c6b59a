import Foundation
import LarderTesting
import TestProgram
import Testing

/// Pulls whose process is killed, at ten random moments, with `LARDER_STRESS` in the environment at a hundred.
@Suite struct PullKillTests {
    private static let (size, total) = (25, 1_000)

    @Test func `the next one goes on, no line is missing or twice, and one page is fetched again`()
        async throws
    {
        let (size, total) = (Self.size, Self.total)
        let server = try await LoopbackServer { request in
            let first = request[query: "after"].flatMap { Int($0) } ?? 0
            let end = min(first + size, total)
            let next = end < total ? "\"next\": \"\(end)\", " : ""
            let lines = (first..<end).map { "{\"number\": \($0)}" }.joined(separator: ", ")
            return .json("{\(next)\"lines\": [\(lines)]}")
        }
        let isThorough = ProcessInfo.processInfo.environment["LARDER_STRESS"] != nil
        let count = isThorough ? 100 : 10
        let outcome = try await TestProgram(builtAs: "FaultRunner").run(
            ["kill-pulls", server.baseURL.absoluteString, "\(total)", "\(count)", "3"])
        await server.stop()
        try #require(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        let numbers = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        let stored = try #require(numbers.last)
        #expect(numbers.first == count && stored % total == 0)
        #expect(server.requests.count >= stored / size)
        #expect(server.requests.count <= stored / size + count)
    }
}
