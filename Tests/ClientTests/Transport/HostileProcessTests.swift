#if !canImport(Darwin)
import Foundation
import LarderClient
import LarderTesting
import TestProgram
import Testing

/// All hostile responses once more, each to a client alone in its process, beside which nothing else takes memory or
/// ends the process.
@Suite struct HostileProcessTests {
    @Test func `one process each, none aborts, hangs, takes too much memory or stores in part`()
        async throws
    {
        let first = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        defer { first.stop() }
        let cases = HostileResponse.all.map { hostile in
            HostileProcess(
                name: hostile.name, version: "1.1", outcome: hostile.outcome,
                window: hostile.window, serve: HostileResponseTests.serve(hostile))
        }
        try await Self.run(cases, after: first.baseURL)
    }

    @Test func `one process each, and frames do no more harm`() async throws {
        let first = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            try peer.answer(try peer.request())
            peer.waitForClose()
        }
        defer { first.stop() }
        let cases = HostileFrames.all.map { hostile in
            HostileProcess(
                name: hostile.name, version: "2", outcome: hostile.outcome,
                serve: HostileFramesTests.serve(hostile))
        }
        try await Self.run(cases, after: first.baseURL)
    }

    /// Runs processes, a few at once.
    private static func run(_ cases: [HostileProcess], after first: URL) async throws {
        let program = try TestProgram(builtAs: "FaultRunner")
        let growths = Seen<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    for hostile in cases.enumerated() where hostile.offset % 4 == lane {
                        let growth = try await hostile.element.check(program, after: first)
                        growths.note(growth)
                        #expect(
                            growth < Sanitizer.allowed(hostile.element.mostKilobytes),
                            "\(hostile.element.name): \(growth) KiB")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(growths.count == cases.count)
    }
}

/// A hostile response, and the process that asks for it.
private struct HostileProcess: Sendable {
    let name: String
    let version: String
    let outcome: HostileResponse.Outcome
    /// The bytes that a decoder may have to look back over, beside what it is limited by.
    var window = 0
    let serve: @Sendable (RawServer.Connection) throws -> Void

    /// Lets a process ask for it, and returns the kilobytes of memory that it took for that.
    func check(_ program: TestProgram, after first: URL) async throws -> Int {
        let server = try RawServer(serve)
        defer { server.stop() }
        let limits = HostileResponse.limits
        let run = try await program.run(
            ["exchange", server.baseURL.absoluteString, first.absoluteString]
                + ["\(isSilence ? 200 : 600_000)", "\(limits.maximumBodySize)", version])
        let words = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(run.status == 0, "\(name): \(run.errors)")
        let (end, change) = (words.first ?? "nothing", words.dropFirst().first)
        let isStored = Int(end) != nil
        switch outcome {
        case .error(let reasons):
            #expect(reasons.map(\.description).contains(end), "\(name): \(end)")
        case .response, .either:
            // Whole, it may still be no list of users.
            #expect(isStored || end != "timedOut", "\(name): \(end)")
            if case .response(200, HostileResponse.users.utf8.count) = outcome {
                #expect(end == "2" && change == "changed", "\(name): \(end)")
            }
        }
        #expect(change == "unchanged" || change == "changed" && isStored, "\(name): \(run.output)")
        return words.dropFirst(2).first.flatMap { Int($0) } ?? 0
    }

    /// The kilobytes of memory that it may take: twice what content and head may come to.
    var mostKilobytes: Int {
        let limits = HostileResponse.limits
        return (2 * (limits.maximumBodySize + limits.maximumHeaderSize) + window) >> 10
    }

    private var isSilence: Bool {
        if case .error(let reasons) = outcome { reasons == [.timedOut] } else { false }
    }
}

extension HostileResponse {
    /// What brotli looks back over is the server's choice, up to 16 MiB (RFC 7932, section 9.1); for zstd it is bounded
    /// at 8 MiB.
    fileprivate var window: Int {
        let text = String(decoding: bytes.prefix(300), as: UTF8.self).lowercased()
        if text.contains("content-encoding: br") { return 16 << 20 }
        return text.contains("content-encoding: zstd") ? 8 << 20 : 0
    }
}
#endif
