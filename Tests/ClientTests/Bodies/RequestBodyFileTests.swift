import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestBodyFileTests {
    @Test(arguments: [0, 1, FileContent.memoryLimit, FileContent.memoryLimit + 1])
    func `a file of any size is sent as it is`(_ size: Int) throws {
        let content = Data((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 &* 13) })
        let file = try TemporaryFile(named: "a.json", content)
        let body = try RequestBody.file(file.url).encoded()
        #expect(body.data == content)
        #expect(body.contentType == "application/json")
    }

    @Test(arguments: [
        ("a.PNG", "image/png"), ("a.tar.gz", "application/gzip"), ("a", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"), (".txt", "application/octet-stream"),
        ("é ü.txt", "text/plain"),
    ])
    func `its name's extension says its type, unless one is given`(
        _ name: String, _ expected: String
    ) throws {
        let file = try TemporaryFile(named: name, Data("a".utf8))
        #expect(try RequestBody.file(file.url).encoded().contentType == expected)
        #expect(try RequestBody.file(file.url, contentType: "a/b").encoded().contentType == "a/b")
    }

    @Test func `it is read when the request is built`() throws {
        let file = try TemporaryFile(named: "a.txt", Data("old".utf8))
        let body = RequestBody.file(file.url)
        try Data("new".utf8).write(to: file.url)
        #expect(try body.encoded().data == Data("new".utf8))
    }

    @Test func `nobody changes what is being sent`() throws {
        let content = Data(repeating: 1, count: FileContent.memoryLimit * 2)
        let file = try TemporaryFile(named: "a.bin", content)
        let body = try RequestBody.file(file.url).encoded()
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.truncate(atOffset: 0)
        try handle.close()
        #expect(body.data == content)
    }

    @Test func `a link stands for its file`() throws {
        let file = try TemporaryFile(named: "a.txt", Data("a".utf8))
        let link = file.url.deletingLastPathComponent().appending(path: "link.css")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
        #expect(try RequestBody.file(link).encoded().data == Data("a".utf8))
    }

    @Test func `what is no file that can be read is refused, and it is said which`() throws {
        let file = try TemporaryFile(named: "secret", Data())
        let folder = file.url.deletingLastPathComponent()
        let pipe = folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
        for url in [folder, folder.appending(path: "none"), pipe] {
            let error = #expect(throws: TransportError.self) {
                try RequestBody.file(url).encoded()
            }
            #expect(error?.reason == .invalidRequest)
            #expect(error?.message.contains(url.lastPathComponent) == true)
        }
    }

    @Test func `a URL of something else than a file is refused, and not told`() throws {
        let remote = try #require(URL(string: "https://h/secret"))
        let error = #expect(throws: TransportError.self) {
            try RequestBody.file(remote).encoded()
        }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func `a server gets the whole of a file`() async throws {
        let server = try await LoopbackServer { _ in .json("[]") }
        let content = Data((0..<FileContent.memoryLimit * 2).lazy.map { UInt8($0 % 251) })
        let file = try TemporaryFile(named: "a.png", content)
        let client = try TestClient.client(at: server.baseURL)
        try await client.enqueue(.put("x", body: .file(file.url)), as: Void.self).value
        let request = try #require(server.requests.first)
        #expect(request.body == content)
        #expect(request.headerFields[.contentType] == "image/png")
        await server.stop()
    }

    @Test func `a missing file is an invalid request, and nothing is sent`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let promise = client.enqueue(
            .post("x", body: .file(URL(filePath: "/nowhere/larder"))), as: Void.self)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        let message = "A body's file is not there: /nowhere/larder"
        #expect((error?.underlying as? TransportError)?.message == message)
        #expect(transport.requests.isEmpty)
    }
}
