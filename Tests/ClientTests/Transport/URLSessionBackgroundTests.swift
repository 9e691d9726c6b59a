#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import LarderClient

/// Transfers of the kind that the system makes in the background, by a session of this process.
@Suite(.platformTransport) struct URLSessionBackgroundTests {
    private let folder: TemporaryFile
    private let target: URL
    private let ended = Seen<BackgroundTransfer>()
    private let gate = Gate()
    private let background: URLSessionBackground

    init() throws {
        folder = try TemporaryFile(named: "marker", Data())
        target = folder.url.deletingLastPathComponent().appending(path: "file.bin")
        let (ended, gate) = (ended, gate)
        background = URLSessionBackground(.ephemeral) { transfer in
            ended.note(transfer)
            gate.open()
        }
    }

    private func client(at url: URL) throws -> Client {
        let transport = BackgroundTransport(
            foreground: PlatformTransport(), background: background)
        return try TestClient.client(at: url) { $0.transport = transport }
    }

    @Test func `a download is in its file`() async throws {
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try await LoopbackServer { _ in .init(body: content) }
        let response = try await client(at: server.baseURL).download(.get("x"), to: target).value
        #expect(response.value == target && response.status == .ok)
        #expect(try Data(contentsOf: target) == content)
        #expect(ended.values.isEmpty)
        await server.stop()
    }

    @Test func `a download that is refused says so, and leaves no file`() async throws {
        let server = try await LoopbackServer { _ in .json(#"{"e": 1}"#, status: .notFound) }
        let promise = try client(at: server.baseURL).download(.get("x"), to: target)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .notFound)
        #expect(!FileManager.default.fileExists(atPath: target.path(percentEncoded: false)))
        await server.stop()
    }

    @Test func `content goes out from a file, which is gone then`() async throws {
        let server = try await LoopbackServer { .init(body: $0.body) }
        let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let request = TransportRequest.to(server.baseURL, method: .put, body: body)
        let record = BackgroundRecord(request)
        let response = try await background.response(to: request)
        #expect(response.body == body)
        #expect(server.requests.first?.headerFields[.contentLength] == "100000")
        let uploads = try #require(record.uploadFile).deletingLastPathComponent()
        let left = try FileManager.default.contentsOfDirectory(
            atPath: uploads.path(percentEncoded: false))
        #expect(left.isEmpty)
        await server.stop()
    }

    @Test func `what an earlier run has begun is given its name, and told of`() async throws {
        let content = Data("all of it".utf8)
        let server = try await LoopbackServer { _ in
            .init(headerFields: [.eTag: "\"1\""], body: content)
        }
        let session = adoptingSession()
        let partial = try PartialFile(for: target, isReplacing: true)
        var request = TransportRequest.to(server.baseURL, "/x")
        request.sink = .file(partial, isWhole: false)
        let task = session.downloadTask(with: try URLRequest(request))
        task.taskDescription = BackgroundRecord(request).text
        // As that run has ended.
        partial.release(isDiscarding: true)
        task.resume()
        try await gate.wait()
        let transfer = try #require(ended.values.first)
        #expect(transfer.url == request.urlText && transfer.file == target)
        #expect(try transfer.result.get().head.status == .ok)
        #expect(try Data(contentsOf: target) == content)
        await server.stop()
    }

    @Test func `an upload of an earlier run is told of, with its response`() async throws {
        let server = try await LoopbackServer { _ in .json("[7]", status: .created) }
        let session = adoptingSession()
        let request = TransportRequest.to(server.baseURL, method: .post, body: Data("a".utf8))
        let record = BackgroundRecord(request)
        let task = session.uploadTask(with: try URLRequest(request), fromFile: folder.url)
        task.taskDescription = record.text
        task.resume()
        try await gate.wait()
        let transfer = try #require(ended.values.first)
        #expect(transfer.file == nil)
        let response = try transfer.result.get()
        #expect(response.head.status == .created && response.body == Data("[7]".utf8))
        await server.stop()
    }

    @Test func `a file that somebody else writes is an error that is told`() async throws {
        let server = try await LoopbackServer { _ in .json("[]") }
        let session = adoptingSession()
        let partial = try PartialFile(for: target)
        var request = TransportRequest.to(server.baseURL)
        request.sink = .file(partial, isWhole: false)
        let task = session.downloadTask(with: try URLRequest(request))
        task.taskDescription = BackgroundRecord(request).text
        task.resume()
        try await gate.wait()
        let transfer = try #require(ended.values.first)
        let error = #expect(throws: POSIXError.self) { try transfer.result.get() }
        #expect(error?.code == .EBUSY)
        await server.stop()
        withExtendedLifetime(partial) {}
    }

    /// The system follows redirects by itself.
    @Test func `a part from where the beginning does not come from is refused`() throws {
        for (place, isRest) in [("http://h/v1?s=2", true), ("http://h/v2", false)] {
            let partial = try PartialFile(for: target, isReplacing: true)
            var head = HTTPResponse(status: .ok)
            head.headerFields = [.eTag: "\"1\"", .contentLength: "9"]
            _ = partial.beginning(of: "http://h/x", isWanted: true, replacing: 0)
            _ = try partial.begin(head, from: "http://h/v1?s=1", isWhole: false)
            try partial.append(Data("abc".utf8))
            _ = partial.beginning(of: "http://h/x", isWanted: true, replacing: 0)
            var request = TransportRequest.to(try #require(URL(string: "http://h/")), "/x")
            request.sink = .file(partial, isWhole: false)
            let task = URLSession.shared.downloadTask(with: try URLRequest(request))
            let exchange = URLSessionExchange(request) { _ in }
            let response = HTTPURLResponse(
                url: try #require(URL(string: place)), statusCode: 206, httpVersion: nil,
                headerFields: ["ETag": "\"1\"", "Content-Range": "bytes 3-8/9"])
            #expect(exchange.receive(response, in: task) == isRest)
            #expect(partial.isMismatched != isRest)
            partial.release(isDiscarding: true)
        }
    }

    @Test func `what brings no content is not taken for the rest`() throws {
        let url = try #require(URL(string: "http://h/x"))
        let partial = try PartialFile(for: target, isReplacing: true)
        var head = HTTPResponse(status: .ok)
        head.headerFields = [.eTag: "\"1\"", .contentLength: "9"]
        _ = partial.beginning(of: "http://h/x", isWanted: true, replacing: 0)
        _ = try partial.begin(head, from: "http://h/x", isWhole: false)
        try partial.append(Data("abc".utf8))
        var request = TransportRequest.to(try #require(URL(string: "http://h/")), "/x")
        request.sink = .file(partial, isWhole: false)
        let task = URLSession.shared.downloadTask(with: url)
        task.taskDescription = BackgroundRecord(request).text
        partial.release(isDiscarding: false)
        let ended = ended
        let exchange = try #require(URLSessionExchange.adopting(task) { ended.note($0) })
        let response = HTTPURLResponse(
            url: url, statusCode: 204, httpVersion: nil, headerFields: [:])
        #expect(exchange.receive(response, in: task))
        exchange.complete(nil)
        #expect(ended.count == 1)
        #expect(try Data(contentsOf: target).isEmpty)
    }

    @Test func `a record outlives its run, and knows the same download`() throws {
        let partial = try PartialFile(for: target, maximumCount: 9, isReplacing: true)
        var request = TransportRequest.to(URL(filePath: "/"), "/a")
        request.sink = .file(partial, isWhole: false)
        let record = BackgroundRecord(request)
        let read = try #require(BackgroundRecord(of: record.text))
        #expect(read.target == target && read.isReplacing && read.maximumCount == 9)
        #expect(read.uploadFile == nil && read.isSame(as: request))
        var other = request
        other.head.path = "/b"
        #expect(!read.isSame(as: other))
        #expect(BackgroundRecord(other).isOfSameFile(as: record))
        #expect(BackgroundRecord(of: nil) == nil && BackgroundRecord(of: "an app's own") == nil)
        let upload = BackgroundRecord(TransportRequest.to(URL(filePath: "/"), body: Data()))
        #expect(upload.target == nil && upload.uploadFile != nil)
        #expect(!upload.isOfSameFile(as: upload))
    }

    @Test(arguments: ["Authorization", "Cookie", "Accept", "X-API-Key", "X-Member"])
    func `what somebody else asks for is not the same download`(_ name: String) throws {
        let name = try #require(HTTPField.Name(name))
        let partial = try PartialFile(for: target, maximumCount: 9)
        var request = TransportRequest.to(URL(filePath: "/"), "/a")
        request.sink = .file(partial, isWhole: false)
        request.head.headerFields[name] = "of-ann"
        // By the client's redaction.
        request.secretNames = ["X-Member"]
        let text = try #require(BackgroundRecord(request).text)
        #expect(!text.contains("of-ann"))
        let read = try #require(BackgroundRecord(of: text))
        #expect(read.isSame(as: request))
        var other = request
        other.head.headerFields[.userAgent] = "another"
        #expect(read.isSame(as: other))
        other.head.headerFields[name] = "of-bob"
        #expect(!read.isSame(as: other) && read.isOfSameFile(as: BackgroundRecord(other)))
        // As an earlier version has made it.
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        var members = try #require(object as? [String: Any])
        for member in ["asker", "salt"] { members[member] = nil }
        let data = try JSONSerialization.data(withJSONObject: members)
        let earlier = try #require(BackgroundRecord(of: String(decoding: data, as: UTF8.self)))
        #expect(!earlier.isSame(as: request) && earlier.target == target)
    }

    @Test func `all has been told once the session says so, whoever waits first`() async throws {
        let exchanges = URLSessionExchanges(trust: URLSessionTrust([:]))
        let session = URLSession(configuration: .ephemeral)
        let told = Seen<Int>()
        exchanges.whenEventsAreDelivered { told.note(1) }
        #expect(told.count == 0)
        exchanges.urlSessionDidFinishEvents(forBackgroundURLSession: session)
        #expect(told.values == [1])
        exchanges.urlSessionDidFinishEvents(forBackgroundURLSession: session)
        exchanges.whenEventsAreDelivered { told.note(2) }
        #expect(told.values == [1, 2])
        exchanges.whenEventsAreDelivered { told.note(3) }
        #expect(told.values == [1, 2])
    }

    /// A session as one is after a launch: it knows nobody who waits.
    private func adoptingSession() -> URLSession {
        let (ended, gate) = (ended, gate)
        let exchanges = URLSessionExchanges(trust: URLSessionTrust([:])) { task in
            URLSessionExchange.adopting(task) { transfer in
                ended.note(transfer)
                gate.open()
            }
        }
        return URLSession(configuration: .ephemeral, delegate: exchanges, delegateQueue: nil)
    }
}
#endif
