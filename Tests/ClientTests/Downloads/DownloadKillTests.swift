import Foundation
import HTTPTypes
import LarderTesting
import TestProgram
import Testing

/// Downloads whose process is killed, at ten random moments, with `LARDER_STRESS` in the environment at a hundred.
@Suite struct DownloadKillTests {
    @Test func `the next one goes on, and the file is there once it is whole`() async throws {
        let content = Data(
            (0..<1 << 21).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 16) })
        let server = try await LoopbackServer { request in
            var fields: HTTPFields = [.eTag: "\"1\""]
            guard let range = request.headerFields[.range],
                let first = Int(range.dropFirst("bytes=".count).prefix { $0.isNumber })
            else { return LoopbackServer.Response(headerFields: fields, body: content) }
            guard first < content.count else {
                fields[.contentRange] = "bytes */\(content.count)"
                return LoopbackServer.Response(status: .rangeNotSatisfiable, headerFields: fields)
            }
            fields[.contentRange] = "bytes \(first)-\(content.count - 1)/\(content.count)"
            return LoopbackServer.Response(
                status: .partialContent, headerFields: fields, body: Data(content[first...]))
        }
        let isThorough = ProcessInfo.processInfo.environment["LARDER_STRESS"] != nil
        let outcome = try await TestProgram(builtAs: "FaultRunner").run(
            ["kill-downloads", server.baseURL.absoluteString, isThorough ? "100" : "10", "3"])
        await server.stop()
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        #expect(server.requests.contains { $0.headerFields[.range] != nil })
    }
}
