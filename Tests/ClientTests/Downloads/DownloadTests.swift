import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Downloads to a file; what interrupted ones become is in ``DownloadLawTests``.
@Suite(.platformTransport) struct DownloadTests {
    private let folder: TemporaryFile
    private let target: URL

    init() throws {
        folder = try TemporaryFile(named: "marker", Data())
        target = folder.url.deletingLastPathComponent().appending(path: "file.bin")
    }

    private func names() throws -> [String] {
        let path = target.deletingLastPathComponent().path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0 != "marker" }.sorted()
    }

    private static func failure(
        of promise: Promise<Response<URL>>
    ) async throws -> ClientError {
        try #require(await #expect(throws: ClientError.self) { try await promise.value })
    }

    @Test(arguments: [0, 1, 300_000, 3_000_000])
    func `the content is in the file, and nothing beside it`(_ size: Int) async throws {
        let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Type: image/png\r\n"
                    + "Content-Length: \(size)\r\n\r\n")
            try connection.send(Array(content))
        }
        let client = try TestClient.client(at: server.baseURL)
        let response = try await client.download(.get("x"), to: target).value
        #expect(response.value == target && response.status == .ok)
        #expect(response.headerFields[.contentType] == "image/png")
        #expect(try Data(contentsOf: target) == content)
        #expect(try names() == ["file.bin"])
    }

    @Test func `a transport that knows nothing of files does as well`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[1, 2]")))
        _ = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "[1, 2]")
    }

    @Test func `gzip is decoded on its way`() async throws {
        let text = String(repeating: "what is said twice is shorter ", count: 1000)
        let coded = Gzip.stored(text)
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
            )
            try connection.send(coded)
        }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == text)
    }

    @Test func `a file that is there is left as it is, and nothing is sent`() async throws {
        try Data("mine".utf8).write(to: target)
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let error = try await Self.failure(of: client.download(.get("x?token=s3"), to: target))
        #expect(error.reason == .notWritten)
        #expect((error.underlying as? POSIXError)?.code == .EEXIST)
        #expect(!"\(error)".contains("s3") && transport.requests.isEmpty)
        #expect(try String(contentsOf: target, encoding: .utf8) == "mine")
        _ = try await client.download(.get("x"), to: target, replacing: true).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "[]")
    }

    @Test func `a link that leads nowhere is there, too`() async throws {
        let folder = target.deletingLastPathComponent()
        let link = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: folder.appending(path: "nowhere"))
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let error = try await Self.failure(of: client.download(.get("x"), to: link))
        #expect((error.underlying as? POSIXError)?.code == .EEXIST)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a link that somebody has put in its way leads nowhere`() async throws {
        let other = target.deletingLastPathComponent().appending(path: "other")
        try Data("theirs".utf8).write(to: other)
        try FileManager.default.createSymbolicLink(
            at: target.deletingLastPathComponent().appending(path: "file.bin.download"),
            withDestinationURL: other)
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect(error.reason == .notWritten)
        #expect(transport.requests.isEmpty)
        #expect(try String(contentsOf: other, encoding: .utf8) == "theirs")
    }

    @Test func `one that comes to be meanwhile is left as well`() async throws {
        let target = target
        let transport = StubTransport { _ in
            try Data("mine".utf8).write(to: target)
            return .json("[]")
        }
        let client = try TestClient.client(over: transport)
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect(error.reason == .notWritten && error.status == .ok)
        #expect((error.underlying as? POSIXError)?.code == .EEXIST)
        #expect(try String(contentsOf: target, encoding: .utf8) == "mine")
    }

    @Test func `where nothing can be written, nothing is sent`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let folder = target.deletingLastPathComponent()
        let link = folder.appending(path: "led.download")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: folder.appending(path: "elsewhere"))
        let expected: [(URL, POSIXErrorCode)] = [
            (folder.appending(path: "missing/file"), .ENOENT), (folder, .EISDIR),
            (folder.appending(path: "led"), .ELOOP),
            (folder.appending(path: "not there/", directoryHint: .isDirectory), .EISDIR),
        ]
        for (url, code) in expected {
            let error = try await Self.failure(
                of: client.download(.get("x"), to: url, replacing: true))
            #expect(error.reason == .notWritten)
            #expect((error.underlying as? POSIXError)?.code == code, "\(url)")
        }
        let remote = try #require(URL(string: "https://h/file"))
        let error = try await Self.failure(of: client.download(.get("x"), to: remote))
        #expect((error.underlying as? POSIXError)?.code == .EINVAL)
        #expect(transport.requests.isEmpty)
    }

    @Test func `what is refused is not kept, nor gone on with`() async throws {
        for status in [HTTPResponse.Status.notFound, .ok] {
            let transport = StubTransport(.json(#"{"error": 1}"#, status: status))
            let client = try TestClient.client(over: transport) {
                $0.validators.append(Validator { _, _ in throw POSIXError(.EPERM) })
            }
            let error = try await Self.failure(of: client.download(.get("x"), to: target))
            #expect(error.reason == (status == .ok ? .refused : .unacceptableStatus))
            #expect(error.body?.isEmpty == (status == .ok))
            #expect(try names().isEmpty)
        }
    }

    @Test func `a status that is accepted but brings no content writes no file`() async throws {
        let transport = StubTransport(.json("", status: .notModified))
        let client = try TestClient.client(over: transport)
        let error = try await Self.failure(
            of: client.download(.get("x", acceptedStatuses: [200, 304]), to: target))
        #expect(error.reason == .unacceptableStatus)
        #expect(try names().isEmpty)
    }

    @Test func `what processors make of it is what is written`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[1]"))) {
            $0.processors = [
                ResponseProcessor { response, _ in
                    var response = response
                    response.body = Data("changed".utf8)
                    return response
                }
            ]
        }
        _ = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "changed")
    }

    @Test func `more than the most is refused`() async throws {
        for transport in [nil, StubTransport(.json("[1, 2]"))] {
            let server = try RawServer(sending: "HTTP/1.1 200 OK\r\n\r\n[1, 2]")
            let client =
                try transport.map { try TestClient.client(over: $0) }
                ?? TestClient.client(at: server.baseURL)
            let promise = client.download(.get("x"), to: target, maximumSize: 5)
            let error = try await Self.failure(of: promise)
            #expect((error.underlying as? TransportError)?.reason == .limitExceeded)
            #expect(try names().isEmpty)
            _ = try await client.download(
                .get("x"), to: target, replacing: true, maximumSize: 6
            ).value
            try FileManager.default.removeItem(at: target)
        }
    }

    /// A server that cuts the first response off after "0123", and answers the next requests as it is told.
    private static func server(
        then answers: String...
    ) throws -> RawServer {
        let answers = Guarded(answers[...])
        let beginnings = Seen<Void>()
        return try RawServer { connection in
            guard try connection.readRequest().contains("Range: bytes=4-") else {
                beginnings.note(())
                let rest = beginnings.count == 1 ? "" : "456789"
                return try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n"
                        + "Connection: close\r\n\r\n0123\(rest)")
            }
            let answer = answers.withLock { $0.popFirst() } ?? "500 No\r\n\r\n"
            try connection.send("HTTP/1.1 \(answer)")
        }
    }

    @Test(arguments: [
        "200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n0123456789",
        "416 No\r\nConnection: close\r\nContent-Length: 30\r\n\r\n012345678901234567890123456789",
    ])
    func `the most counts for the whole, whatever is there already`(_ answer: String) async throws {
        let server = try Self.server(then: answer)
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("x"), to: target, maximumSize: 10))
        #expect(try names().contains("file.bin.download"))
        _ = try await client.download(.get("x"), to: target, maximumSize: 10).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "0123456789")
    }

    /// As where the process ended before the file had its name, or the connection right before the content's end
    /// could be told.
    @Test func `a beginning that is the whole is not fetched again`() async throws {
        let ranges = Seen<String>()
        let server = try RawServer { connection in
            let head = try connection.readRequest()
            let range = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Range: ") } ?? ""
            ranges.note(range)
            switch range {
            case "":
                try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n4\r\n0123\r\n")
            case "Range: bytes=4-":
                try connection.send(
                    "HTTP/1.1 416 No\r\nContent-Range: bytes */4\r\nConnection: close\r\n"
                        + "Content-Length: 2\r\n\r\nno")
            default:
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Type: text/plain\r\n"
                        + "Content-Range: bytes 3-3/4\r\nConnection: close\r\n"
                        + "Content-Length: 1\r\n\r\n3")
            }
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("x"), to: target))
        let response = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "0123")
        #expect(ranges.values == ["", "Range: bytes=4-", "Range: bytes=3-"])
        #expect(response.status == .ok && response.headerFields[.contentType] == "text/plain")
        #expect(response.headerFields[.contentLength] == "4")
    }

    @Test(arguments: ["bytes */5", "bytes */4"])
    func `a beginning of something else is fetched anew`(_ size: String) async throws {
        let requests = Seen<Void>()
        let server = try RawServer { connection in
            let isForPart = try connection.readRequest().contains("Range: bytes=")
            requests.note(())
            let content = requests.count == 1 ? "0123" : "4567"
            try connection.send(
                isForPart
                    ? "HTTP/1.1 416 No\r\nContent-Range: \(size)\r\nConnection: close\r\n"
                        + "Content-Length: 0\r\n\r\n"
                    : "HTTP/1.1 200 OK\r\nETag: \"\(content)\"\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n4\r\n\(content)\r\n"
                        + (requests.count == 1 ? "" : "0\r\n\r\n"))
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("x"), to: target))
        _ = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "4567")
        #expect(requests.count == (size.hasSuffix("5") ? 3 : 4))
    }

    @Test func `what has come to be coded is decoded also where the rest was asked for`()
        async throws
    {
        let text = String(repeating: "what is said twice is shorter ", count: 100)
        let coded = Gzip.stored(text)
        let requests = Seen<Void>()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            requests.note(())
            guard requests.count > 1 else {
                return try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\n0123")
            }
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"b\"\r\nContent-Encoding: gzip\r\n"
                    + "Connection: close\r\nContent-Length: \(coded.count)\r\n\r\n")
            try connection.send(coded)
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("x"), to: target))
        _ = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == text)
    }

    @Test func `the most counts what is decoded`() async throws {
        let coded = Gzip.stored("abcdef")
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n"
                    + "Content-Length: \(coded.count)\r\n\r\n")
            try connection.send(coded)
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await client.download(.get("x"), to: target, maximumSize: 6).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "abcdef")
        let error = try await Self.failure(
            of: client.download(.get("x"), to: target, replacing: true, maximumSize: 5))
        #expect((error.underlying as? TransportError)?.reason == .limitExceeded)
        var received = Data()
        for try await part in client.stream(.get("x"), maximumSize: 6) { received += part }
        #expect(received == Data("abcdef".utf8))
    }

    @Test func `what has come whole stays where its name is taken meanwhile`() async throws {
        let target = target
        let transport = StubTransport { _ in
            try Data("mine".utf8).write(to: target)
            return .json("[]", headerFields: [.eTag: "\"a\""])
        }
        let client = try TestClient.client(over: transport)
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect(error.reason == .notWritten)
        #expect(try names() == ["file.bin", "file.bin.download", "file.bin.download.json"])
    }

    @Test func `one that comes after a log-out says so`() async throws {
        let cell = Guarded<Client?>(nil)
        let transport = StubTransport { _ in
            // As if it came between the end of the session and that of the requests.
            cell.withLock(\.self)?.session.end()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport)
        cell.withLock { $0 = client }
        defer { cell.withLock { $0 = nil } }
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect(error.reason == .loggedOut)
        #expect(try !names().contains("file.bin"))
    }

    @Test func `a server that sends a byte a time is given up`() async throws {
        let requests = Seen<Void>()
        let server = try RawServer { connection in
            while true {
                let head = try connection.readRequest()
                requests.note(())
                let range = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Range: ") }
                guard let first = range?.dropFirst(13).dropLast() else {
                    return try connection.send(
                        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 1000\r\n\r\n0")
                }
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Length: 1\r\n"
                        + "Content-Range: bytes \(first)-\(first)/1000\r\n\r\n0")
            }
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("x"), to: target))
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect((error.underlying as? TransportError)?.reason == .limitExceeded)
        #expect(requests.count == 102)
        // Another one may bring the rest at once.
        #expect(try names() == ["file.bin.download", "file.bin.download.json"])
    }

    @Test func `what a refusal says has the client's limits`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 404 Oh\r\nContent-Length: 20\r\n\r\n01234567890123456789")
        let client = try TestClient.client(at: server.baseURL)
        let error = try await Self.failure(
            of: client.download(.get("x"), to: target, maximumSize: 5))
        #expect(error.status == .notFound && error.body?.count == 20)
    }

    @Test func `a part of more than the most is refused, and what is there stays`() async throws {
        let server = try Self.server(
            then: "206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 4-9/10\r\n\r\n456789")
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("x"), to: target))
        let error = try await Self.failure(
            of: client.download(.get("x"), to: target, maximumSize: 8))
        #expect((error.underlying as? TransportError)?.reason == .limitExceeded)
        #expect("\(error)".contains("exceeds 8 bytes"))
        #expect(try names() == ["file.bin.download", "file.bin.download.json"])
    }

    @Test func `a file has one download at a time, until that is cancelled`() async throws {
        let held = HeldTransport()
        let client = try TestClient.client(over: held)
        let first = client.download(.get("x"), to: target)
        let second = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect((second.underlying as? POSIXError)?.code == .EBUSY)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let free = try TestClient.client(over: StubTransport(.json("[]")))
        _ = try await free.download(.get("x"), to: target).value
        #expect(try names() == ["file.bin"])
    }

    @Test func `one that is cancelled once the file has its name is fulfilled`() async throws {
        let held = HeldTransport()
        let client = try TestClient.client(over: held)
        let promises = Seen<Promise<Response<URL>>>()
        client.observeRequests(for: promises) { promises, event in
            guard case .fulfilled = event.kind else { return }
            for promise in promises.values { promise.cancel() }
        }
        let promise = client.download(.get("x"), to: target)
        promises.note(promise)
        held.end(0, .success(.json("[1]")))
        #expect(try await promise.value.value == target)
        #expect(try String(contentsOf: target, encoding: .utf8) == "[1]")
    }

    @Test func `a retry goes on where the one before has ended`() async throws {
        let heads = Seen<String>()
        let server = try RawServer { connection in
            let head = try connection.readRequest()
            heads.note(head)
            if head.contains("Range: bytes=4-") {
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Length: 6\r\n"
                        + "Content-Range: bytes 4-9/10\r\n\r\n456789")
            } else {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\n0123")
            }
        }
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [RetryInterceptor(backoff: .none, deadline: .seconds(3600))]
        }
        let reports = Seen<TransferProgress>()
        let response = try await client.reportingProgress { reports.note($0) }
            .download(.get("x"), to: target).value
        // As if all of it had come at once.
        #expect(response.status == .ok && response.headerFields[.contentLength] == "10")
        #expect(response.headerFields[.contentRange] == nil)
        #expect(try String(contentsOf: target, encoding: .utf8) == "0123456789")
        #expect(heads.values.count == 2)
        #expect(heads.values.last?.contains("If-Range: \"a\"") == true)
        #expect(heads.values.last?.contains("Accept-Encoding: identity") == true)
        #expect(reports.values.last?.received == 10)
        #expect(reports.values.last?.fractionReceived == 1)
    }

    /// A server of `/latest`, which leads to another URL each time: `/v1` is cut off after "0123", and all others have
    /// the same tag; `/v1` has it with any query.
    private static func server(
        leadingTo places: [String], _ requests: Seen<String>
    ) throws -> RawServer {
        let places = Guarded(places[...])
        return try RawServer { connection in
            let head = try connection.readRequest()
            let path = head.split(separator: " ").dropFirst().first ?? ""
            guard path.hasPrefix("/v") else {
                let place = places.withLock { $0.popFirst() } ?? ""
                return try connection.send(
                    "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n")
            }
            let range = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Range: ") }
            requests.note("\(path) \(range ?? "")")
            let content = path.hasPrefix("/v1") ? "0123456789" : "abcdefghij"
            let common = "ETag: \"a\"\r\nConnection: close\r\n"
            switch range {
            case nil:
                try connection.send(
                    "HTTP/1.1 200 OK\r\n\(common)Content-Length: 10\r\n\r\n"
                        + content.prefix(path.hasPrefix("/v1") ? 4 : 10))
            case "Range: bytes=10-":
                try connection.send(
                    "HTTP/1.1 416 No\r\n\(common)Content-Range: bytes */10\r\n"
                        + "Content-Length: 0\r\n\r\n")
            default:
                let start = range == "Range: bytes=9-" ? 9 : 4
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\n\(common)"
                        + "Content-Range: bytes \(start)-9/10\r\n"
                        + "Content-Length: \(10 - start)\r\n\r\n\(content.dropFirst(start))")
            }
        }
    }

    @Test(arguments: [true, false])
    func `what a redirect leads to is not gone on with elsewhere`(_ isRetried: Bool) async throws {
        let requests = Seen<String>()
        let server = try Self.server(leadingTo: ["/v1", "/v2", "/v2"], requests)
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) {
            guard isRetried else { return }
            $0.interceptors = [RetryInterceptor(backoff: .none, deadline: .seconds(3600))]
        }
        if !isRetried {
            _ = try await Self.failure(of: client.download(.get("latest"), to: target))
        }
        _ = try await client.download(.get("latest"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "abcdefghij")
        #expect(requests.values == ["/v1 ", "/v2 Range: bytes=4-", "/v2 "])
    }

    @Test func `what a redirect signs anew is gone on with`() async throws {
        let requests = Seen<String>()
        let server = try Self.server(leadingTo: ["/v1?s=1", "/v1?s=2"], requests)
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("latest"), to: target))
        _ = try await client.download(.get("latest"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "0123456789")
        #expect(requests.values == ["/v1?s=1 ", "/v1?s=2 Range: bytes=4-"])
    }

    /// All of it is there, but for its name.
    @Test func `nor is what looks like the whole of something else`() async throws {
        let requests = Seen<String>()
        let server = try Self.server(
            leadingTo: ["/v1", "/v1", "/v2", "/v2", "/v2"], requests)
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        _ = try await Self.failure(of: client.download(.get("latest"), to: target))
        let target = target
        let refused = client.configured {
            $0.processors = [
                ResponseProcessor { response, _ in
                    try Data("mine".utf8).write(to: target)
                    return response
                }
            ]
        }
        let error = try await Self.failure(of: refused.download(.get("latest"), to: target))
        #expect((error.underlying as? POSIXError)?.code == .EEXIST)
        _ = try await client.download(.get("latest"), to: target, replacing: true).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "abcdefghij")
        #expect(
            requests.values.suffix(3) == [
                "/v2 Range: bytes=10-", "/v2 Range: bytes=9-", "/v2 ",
            ])
    }

    @Test func `a part that was not asked for is no file`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-9/10\r\n"
                + "Content-Length: 6\r\n\r\n456789")
        let client = try TestClient.client(at: server.baseURL)
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect((error.underlying as? TransportError)?.reason == .malformedResponse)
        #expect(try names().isEmpty)
    }

    @Test func `who asks for a part has that part`() async throws {
        let server = try RawServer(
            sending:
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-9/10\r\nETag: \"a\"\r\n"
                + "Content-Length: 6\r\n\r\n456789")
        let client = try TestClient.client(at: server.baseURL)
        _ = try await client.download(
            .get("x", headerFields: [.range: "bytes=4-"]), to: target
        ).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "456789")
    }

    @Test func `silence ends it, however long all of it may take`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\n0123")
            connection.waitForClose()
        }
        let client = try TestClient.client(at: server.baseURL) { $0.idleTimeout = .seconds(1) }
        let error = try await Self.failure(of: client.download(.get("x"), to: target))
        #expect((error.underlying as? TransportError)?.reason == .timedOut)
        #expect(try names() == ["file.bin.download", "file.bin.download.json"])
        let kept = target.appendingPathExtension("download")
        #expect(try String(contentsOf: kept, encoding: .utf8) == "0123")
    }

    @Test func `a time of the endpoint's own is that of the whole, however it is declared`()
        async throws
    {
        struct Timed: Endpoint {
            let path: URLPath = "x"
            let timeout: Duration = .seconds(9)
        }
        let times = Seen<[Duration?]>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    times.note([request.timeout, request.idleTimeout])
                    return next(request)
                }
            ]
        }
        let folder = try TemporaryFile(named: "marker", Data())
        let file = folder.url.deletingLastPathComponent().appending(path: "file")
        _ = try await client.download(Timed(), to: file).value
        #expect(times.values == [[.seconds(9), nil]])
    }

    @Test func `a processor of JSON leaves it alone, over whichever transport`() async throws {
        for transport in [nil, StubTransport(.json("[1, 2]"))] {
            let server = try RawServer(sending: "HTTP/1.1 200 OK\r\n\r\n[1, 2]")
            let processor = ResponseProcessor.json { document, _ in
                try JSONDocument(try #require(document.root.value(at: "data")).source)
            }
            let client =
                try transport.map {
                    try TestClient.client(over: $0) { $0.processors = [processor] }
                } ?? TestClient.client(at: server.baseURL) { $0.processors = [processor] }
            _ = try await client.download(.get("x"), to: target, replacing: true).value
            #expect(try String(contentsOf: target, encoding: .utf8) == "[1, 2]")
        }
    }

    @Test func `what comes anew is counted anew`() async throws {
        let server = try RawServer { connection in
            let head = try connection.readRequest()
            let isFirst = !head.contains("Range: bytes=4-")
            let (tag, content) = isFirst ? ("a", "0123") : ("b", "abcdefghij")
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"\(tag)\"\r\nContent-Length: 10\r\n\r\n\(content)")
        }
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [RetryInterceptor(backoff: .none, deadline: .seconds(3600))]
        }
        let reports = Seen<TransferProgress>()
        _ = try await client.reportingProgress { reports.note($0) }
            .download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "abcdefghij")
        #expect(reports.values.last?.received == 10)
        #expect(reports.values.allSatisfy { $0.received <= 10 })
    }

    @Test(arguments: [true, false])
    func `what never saw the content leaves the file as it came`(_ isProcessor: Bool) async throws {
        let client = try TestClient.client(over: StubTransport(.json("[1]"))) {
            if isProcessor {
                $0.processors = [
                    ResponseProcessor { response, _ in
                        var response = response
                        response.body = Data(response.body)
                        return TransportResponse(head: response.head, body: response.body)
                    }
                ]
            } else {
                $0.interceptors = [
                    ClosureInterceptor { request, next in
                        next(request).then { TransportResponse(head: $0.head, body: $0.body) }
                    }
                ]
            }
        }
        _ = try await client.download(.get("x"), to: target).value
        #expect(try String(contentsOf: target, encoding: .utf8) == "[1]")
    }

    @Test func `what was cut off is not the whole, whoever answers in its place`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123")
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    next(request).recover { _ in TransportResponse(head: HTTPResponse(status: .ok))
                    }
                }
            ]
        }
        _ = try await client.download(.get("x"), to: target).value
        #expect(try Data(contentsOf: target).isEmpty)
    }
}
