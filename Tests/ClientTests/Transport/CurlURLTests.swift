#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// What libcurl's handle keeps of a request is never of the one before.
@Suite struct CurlURLTests {
    /// A server that notes what it reads, and answers all of it, over one connection and the next.
    private static func server(noting requests: Heard) throws -> RawServer {
        try RawServer { connection in
            while true {
                requests.note(try connection.readRequest())
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
    }

    /// Requests over one handle come as they were sent, whatever went over it before.
    @Test(arguments: 1...8)
    func `requests one behind the other are each their own`(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let requests = Heard()
        let server = try Self.server(noting: requests)
        defer { server.stop() }
        let port = try #require(server.baseURL.port)
        let transport = CurlTransport(configuration: .init(maximumExchanges: 1))
        let paths = ["/", "/a", "/a/../b", "/%2F%2F", "/a?b=%c3%A9&c", "/a//b?x", "/;x=1?/?"]
        var expected: [[String]] = []
        for _ in 0..<60 {
            let method =
                [HTTPRequest.Method.get, .get, .get, .head, .post, .put, .delete]
                .randomElement(using: &random) ?? .get
            let authority = ["127.0.0.1", "localhost"].randomElement(using: &random) ?? ""
            let path = paths.randomElement(using: &random) ?? "/"
            let isBodied = method == .post || method == .put
            let content = isBodied ? random.word(of: ["a", "ü", "{}"], upTo: 3) : ""
            var request = TransportRequest(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: "\(authority):\(port)", path: path),
                body: isBodied ? Data(content.utf8) : nil,
                timeout: [nil, .seconds(600), .seconds(900)].randomElement(using: &random) ?? nil)
            if Bool.random(using: &random) { request.onProgress = { _ in } }
            if Bool.random(using: &random) { request.idleTimeout = .seconds(600) }
            _ = try await transport.response(to: request)
            expected.append([
                "\(method) \(path) HTTP/1.1", "Host: \(authority):\(port)",
                isBodied ? "Content-Length: \(content.utf8.count)" : "", content,
            ])
        }
        let seen = requests.texts.map { text in
            let lines = text.components(separatedBy: "\r\n")
            return [
                lines[0], lines.first { $0.hasPrefix("Host:") } ?? "",
                lines.first { $0.hasPrefix("Content-Length:") } ?? "", lines.last ?? "",
            ]
        }
        #expect(seen == expected)
        #expect(server.connectionCount < expected.count)
    }

    /// libcurl loses an address's zone where it copies a URL in parts.
    @Test func `a URL of an address is handed over as it stands`() throws {
        let easy = try #require(curl_easy_init())
        defer { curl_easy_cleanup(easy) }
        var url = CurlURL()
        for (authority, isInParts) in [
            ("h", true), ("[fe80::1%25lo]:1", false), ("h:1", true), ("[::1]", false),
        ] {
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: authority, path: "/")
            url.set(head, on: easy)
            #expect(url.isInParts == isInParts)
        }
    }
}
#endif
