#if !canImport(Darwin)
import Foundation
import LarderTesting
import TestProgram
import Testing

/// Requests that are cancelled at random moments by a process of their own.
///
/// 1,000 in ordinary runs, and 30,000 with `LARDER_STRESS=1`.
@Suite struct CurlCancellationTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `whatever is cancelled settles once, and leaves no transfer, file or memory`()
        async throws
    {
        let server = try RawServer(Self.serve)
        defer { server.stop() }
        let count = Self.environment["LARDER_STRESS"] == nil ? 1000 : 30_000
        let seed = Int.random(in: 1..<1 << 30)
        let run = try await TestProgram(builtAs: "FaultRunner")
            .run(["cancels", server.baseURL.absoluteString, "\(count)", "\(seed)"])
        #expect(run.status == 0, "seed \(seed): \(run.output) \(run.errors)")
        let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 3 && numbers[0] == count, "\(run.output)")
        // Some are, and not all of them.
        #expect(numbers[1] > count / 50 && numbers[1] < count * 49 / 50)
        // Of the content of cancelled requests, up to 4 MiB each, nothing stays; what memory varies by is no more for
        // more of them.
        #expect(numbers[2] < 32 << 10, "seed \(seed): \(numbers[2]) KiB")
        if count > 1000 { print("Of \(count), \(numbers[1]) were answered; \(numbers[2]) KiB.") }
    }

    @Sendable private static func serve(_ connection: RawServer.Connection) throws {
        let piece = String(repeating: " ", count: 64 << 10)
        while true {
            let path = try connection.readRequest().split(separator: " ").dropFirst().first
            switch path {
            case "/large":
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(4 << 20)\r\n\r\n")
                for _ in 0..<64 { try connection.send(piece) }
            case "/endless":
                try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                while true { try connection.send("10000\r\n" + piece + "\r\n") }
            case "/silent": connection.waitForClose()
            default:
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            }
        }
    }
}
#endif
