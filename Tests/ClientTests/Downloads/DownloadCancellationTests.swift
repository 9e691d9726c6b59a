import Foundation
import LarderClient
import LarderPromises
import LarderTesting
import Testing

/// What is left of downloads that are given up.
@Suite(.platformTransport) struct DownloadCancellationTests {
    @Test func `what has come by then lies beside the file, and the rest is asked for at once`()
        async throws
    {
        let folder = try TemporaryFile(named: "marker", Data())
        let target = folder.url.deletingLastPathComponent().appending(path: "file")
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let ranges = Seen<String?>()
        let server = try RawServer { connection in
            let lines = try connection.readRequest().components(separatedBy: "\r\n")
            let range = lines.first { $0.hasPrefix("Range: ") }
            ranges.note(range)
            guard range == nil else {
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Length: 59040\r\n"
                        + "Content-Range: bytes 40960-99999/100000\r\nConnection: close\r\n\r\n")
                return try connection.send(Array(content[40_960...]))
            }
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 100000\r\n\r\n")
            try connection.send(Array(content[..<40_960]))
            connection.waitForClose()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let hasCome = Gate()
        let promise = client.reportingProgress { if $0.received == 40_960 { hasCome.open() } }
            .download(.get("x"), to: target)
        try await hasCome.wait()
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        let left = try Data(contentsOf: target.appendingPathExtension("download"))
        #expect(left == Data(content[..<40_960]))
        _ = try await client.download(.get("x"), to: target).value
        #expect(try Data(contentsOf: target) == Data(content))
        #expect(ranges.values == [nil, "Range: bytes=40960-"])
    }
}
