#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes
import LarderTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import LarderClient

/// What URLSession's transport does beyond what all do.
@Suite(.platformTransport) struct URLSessionTransportTests {
    @Test func `GET with content is refused`() async throws {
        let server = try await LoopbackServer()
        let request = TransportRequest.to(server.baseURL, body: Data("a".utf8))
        #expect(await URLSessionTransport().error(of: request)?.reason == .invalidRequest)
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    /// An exchange whose content goes to a file, and its task, which is never begun.
    private struct Download {
        let url: URL
        let file: PartialFile
        let exchange: URLSessionExchange
        let task: URLSessionTask
        private let folder: TemporaryFile

        init() throws {
            folder = try TemporaryFile(named: "marker", Data())
            file = try PartialFile(
                for: folder.url.deletingLastPathComponent().appending(path: "file"))
            url = try #require(URL(string: "http://h/"))
            _ = file.beginning(of: "http://h/", isWanted: true, replacing: 0)
            var request = TransportRequest.to(url)
            request.sink = .file(file, isWhole: false)
            exchange = URLSessionExchange(request) { _ in }
            task = URLSession.shared.dataTask(with: url)
        }
    }

    @Test func `what was stopped writes nothing more`() throws {
        let download = try Download()
        let (file, exchange, task) = (download.file, download.exchange, download.task)
        let response = HTTPURLResponse(
            url: download.url, statusCode: 200, httpVersion: nil,
            headerFields: ["Content-Length": "10"])
        #expect(exchange.receive(response, in: task))
        exchange.receive(Data("0123".utf8), in: task)
        exchange.stop(TransportError(.timedOut, "It took too long."))
        #expect(file.count == 4)
        exchange.receive(Data("4567".utf8), in: task)
        _ = exchange.receive(response, in: task)
        exchange.complete(URLError(.cancelled))
        #expect(file.count == 4)
    }

    @Test func `another head in the content leaves what has come as it is`() throws {
        let download = try Download()
        let (file, exchange, task) = (download.file, download.exchange, download.task)
        for tag in ["\"1\"", "\"2\""] {
            let response = HTTPURLResponse(
                url: download.url, statusCode: 200, httpVersion: nil,
                headerFields: ["Content-Length": "10", "ETag": tag])
            #expect(exchange.receive(response, in: task) == (tag == "\"1\""))
            exchange.receive(Data("0123".utf8), in: task)
        }
        #expect(file.count == 4)
        #expect(file.beginning(of: "http://h/", isWanted: true, replacing: 0)?.validator == "\"1\"")
    }

    @Test func `more cookies than fields there may be are refused`() throws {
        let url = try #require(URL(string: "http://h/"))
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil,
            headerFields: ["Set-Cookie": String(repeating: "a=,", count: 70_000)])
        var limits = TransportLimits()
        (limits.maximumHeaderFieldCount, limits.maximumHeaderSize) = (.max, .max)
        for limits in [limits, TransportLimits()] {
            let error = #expect(throws: TransportError.self) {
                _ = try HTTPResponse(response, limits: limits)
            }
            #expect(error?.reason == .limitExceeded)
        }
    }

    @Test func `a session's settings are copied, and keep nothing`() async throws {
        let settings = URLSessionConfiguration.default
        settings.httpAdditionalHeaders = ["X-Session": "a"]
        let server = try await LoopbackServer { _ in .init(headerFields: [.setCookie: "a=b"]) }
        let transport = URLSessionTransport(configuration: settings)
        for _ in 0..<2 { _ = try await transport.response(to: .to(server.baseURL)) }
        #expect(settings.httpShouldSetCookies)
        #expect(server.requests.allSatisfy { !$0.headerFields.contains(.cookie) })
        #expect(server.requests.map { $0.headerFields[.named("X-Session")] } == ["a", "a"])
        await server.stop()
    }

    @Test func `more than may run at once wait, and cancelling one lets go of its place`()
        async throws
    {
        let (begun, gate) = (Gate(), Gate())
        let arrived = Seen<String>()
        let server = try await LoopbackServer { request in
            arrived.note(request.path)
            begun.open()
            try await gate.wait()
            return .json("[]")
        }
        let transport = URLSessionTransport(configuration: .init(maximumExchanges: 1))
        let ends = Seen<String>()
        let done = Gate()
        let tasks = ["/0", "/1", "/2"].map { path in
            transport.send(TransportRequest.to(server.baseURL, path)) { result in
                ends.note("\(path) \((try? result.get())?.head.status.code ?? 0)")
                if path == "/2" { done.open() }
            }
        }
        try await begun.wait()
        tasks[1].cancel()
        #expect(ends.values == ["/1 0"])
        gate.open()
        try await done.wait()
        #expect(ends.values == ["/1 0", "/0 200", "/2 200"])
        #expect(arrived.values == ["/0", "/2"])
        await server.stop()
    }

    @Test func `a head's doubtful lengths are refused, and codings that nobody decodes`() throws {
        func head(_ fields: [String: String]) throws -> HTTPResponse {
            let url = try #require(URL(string: "http://h/"))
            let response = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
            return try HTTPResponse(response, limits: TransportLimits(maximumHeaderFieldCount: 2))
        }
        #expect(try head(["Content-Length": "2, 2"]).declaredLength == 2)
        #expect(
            try head(["Content-Length": "2", "Content-Encoding": "gzip"]).declaredLength == nil)
        for length in ["2, 3", "-1", "+1", "", "9223372036854775808", "1x"] {
            #expect(throws: TransportError.self) { try head(["Content-Length": length]) }
        }
        #expect(throws: TransportError.self) { try head(["A": "", "B": "", "C": ""]) }
        let request = TransportRequest(head: HTTPRequest(url: URL(filePath: "/")))
        let coded = try head(["Content-Encoding": "gzip, Foo"])
        #expect(throws: TransportError.self) { try coded.checkCoding(of: request) }
        try head(["Content-Encoding": "GZIP, br"]).checkCoding(of: request)
    }

    @Test(arguments: [
        (NSURLErrorNetworkConnectionLost, false, TransportError.Reason.connectionLost),
        (NSURLErrorNetworkConnectionLost, true, .truncatedBody),
        (NSURLErrorTimedOut, false, .timedOut), (NSURLErrorCancelled, true, .cancelled),
        (NSURLErrorServerCertificateUntrusted, false, .secureConnectionFailed),
        (NSURLErrorCannotFindHost, false, .cannotFindHost), (-1, false, .other),
    ])
    func `the system's errors have reasons`(
        _ code: Int, _ isInContent: Bool, _ reason: TransportError.Reason
    ) {
        let error = TransportError(
            NSError(domain: NSURLErrorDomain, code: code), isInContent: isInContent)
        #expect(error.reason == reason)
        #expect(error.code == (reason == .cancelled ? nil : code))
        #expect(TransportError(NSError(domain: "a", code: code)).reason == .other)
    }

    @Test(arguments: ["0x7f.1", "127.1", "2130706433"])
    func `an address in a form of its own is refused where hosts have settings`(
        _ host: String
    ) async throws {
        let pinned = URLSessionTransport(
            configuration: .init(tls: ["localhost": TLSSettings()]))
        let head = HTTPRequest(method: .get, scheme: "https", authority: host, path: "/")
        let error = await pinned.error(of: TransportRequest(head: head))
        #expect(error?.reason == .invalidRequest)
    }

    @Test func `nothing is sent where a setting's host is none`() async throws {
        let server = try await LoopbackServer()
        let transport = URLSessionTransport(configuration: .init(tls: ["a/b": TLSSettings()]))
        #expect(await transport.error(of: .to(server.baseURL))?.reason == .invalidRequest)
        #expect(server.requests.isEmpty)
        await server.stop()
    }
}
#endif
