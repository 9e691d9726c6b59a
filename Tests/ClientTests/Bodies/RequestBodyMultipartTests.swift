import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestBodyMultipartTests {
    @Test func `fields, data and files are parts, in their order`() throws {
        let file = try TemporaryFile(named: "Dünen.png", Data([137, 80]))
        let body = RequestBody.multipart([
            .field("title", "Dünen\r\n--x"), .data("raw", Data([0, 255])),
            .data("doc", Data("a".utf8), fileName: "a.txt", contentType: "text/plain"),
            .file("photo", file.url), .file("other", file.url, fileName: "x", contentType: "a/b"),
            .body("meta", .json(["n": 1])),
        ])
        let form = try Form(body.encoded())
        #expect(
            form.parts.map(\.head) == [
                #"Content-Disposition: form-data; name="title""#,
                "Content-Disposition: form-data; name=\"raw\"; filename=\"raw\"\r\n"
                    + "Content-Type: application/octet-stream",
                "Content-Disposition: form-data; name=\"doc\"; filename=\"a.txt\"\r\n"
                    + "Content-Type: text/plain",
                "Content-Disposition: form-data; name=\"photo\"; filename=\"Dünen.png\"\r\n"
                    + "Content-Type: image/png",
                "Content-Disposition: form-data; name=\"other\"; filename=\"x\"\r\n"
                    + "Content-Type: a/b",
                "Content-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json",
            ])
        #expect(
            form.parts.map(\.content) == [
                Data("Dünen\r\n--x".utf8), Data([0, 255]), Data("a".utf8), Data([137, 80]),
                Data([137, 80]), Data(#"{"n":1}"#.utf8),
            ])
    }

    @Test func `fields are of several types`() throws {
        let body = RequestBody.multipart(
            fields: ["title": "x", "n": 3, "none": nil, "labels": ["a", "b"]],
            [.data("raw", Data("d".utf8))])
        let form = try Form(body.encoded())
        #expect(form.parts.map(\.name) == ["title", "n", "labels[]", "labels[]", "raw"])
        #expect(
            form.parts.map { String(decoding: $0.content, as: UTF8.self) }
                == ["x", "3", "a", "b", "d"])
    }

    /// WHATWG's HTML standard, "multipart/form-data encoding algorithm".
    @Test(arguments: [
        (#"a"b"#, "a%22b", "a%22b"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"),
        ("a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"), ("a%22b", "a%22b", "a%22b"),
        (#"a\b;c='d'"#, #"a\b;c='d'"#, #"a\b;c='d'"#), ("日本 é", "日本 é", "日本 é"), ("", "", ""),
        (#""; filename="x"#, "%22; filename=%22x", "%22; filename=%22x"),
    ])
    func `names are escaped as browsers do it`(
        _ name: String, _ expectedName: String, _ expectedFile: String
    ) throws {
        let body = RequestBody.multipart([.data(name, Data(), fileName: name)])
        let head = try Form(body.encoded()).parts[0].head
        #expect(
            head.hasPrefix(
                "Content-Disposition: form-data; name=\"\(expectedName)\"; "
                    + "filename=\"\(expectedFile)\"\r\n"))
        #expect(!head.contains("filename*"))
    }

    @Test func `the boundary is another one each time, and no longer than it may be`() throws {
        let body = RequestBody.multipart([.field("a", "b")])
        let boundaries = try (0..<100).map { _ in try Form(body.encoded()).boundary }
        #expect(Set(boundaries).count == 100)
        for boundary in boundaries {
            #expect(boundary.utf8.count <= 70 && boundary.utf8.count >= 40)
            #expect(boundary.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        }
    }

    @Test func `a form without parts is its end`() throws {
        let body = try RequestBody.multipart([]).encoded()
        let boundary = try Form(body).boundary
        #expect(body.data == Data("--\(boundary)--\r\n".utf8))
    }

    @Test(arguments: [FileContent.memoryLimit - 300, FileContent.memoryLimit + 1, 3 << 20])
    func `large files are put together beside memory`(_ size: Int) throws {
        let content = Data((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = try TemporaryFile(named: "large.bin", content)
        let body = RequestBody.multipart([
            .file("a", file.url), .data("b", content.prefix(100)), .field("c", "d"),
        ])
        let form = try Form(body.encoded())
        #expect(form.parts.map(\.content) == [content, content.prefix(100), Data("d".utf8)])
    }

    @Test func `a part that can't be read, or has a type that is none, is refused`() throws {
        let missing = URL(filePath: "/nowhere/larder")
        let file = try TemporaryFile(named: "a.txt", Data())
        let folder = file.url.deletingLastPathComponent()
        for part in [
            .file("a", missing), .file("a", folder), .file("a", file.url, contentType: "a\r\nX: y"),
            .data("a", Data(), contentType: "a\nb"),
            .body("a", RequestBody.text("a").compressed()),
        ] as [RequestBody.Part] {
            let error = #expect(throws: TransportError.self) {
                try RequestBody.multipart([part]).encoded()
            }
            #expect(error?.reason == .invalidRequest)
        }
        let error = #expect(throws: TransportError.self) {
            try RequestBody.multipart([.file("a", file.url), .file("b", missing)]).encoded()
        }
        #expect(error?.message == "A body's file is not there: /nowhere/larder")
    }

    #if !canImport(Darwin)
    @Test func `a server reads what was sent`() async throws {
        let received = Seen<(type: String, body: Data)>()
        let server = try await LoopbackServer { request in
            received.note((request.headerFields[.contentType] ?? "", request.body))
            return .json("[]")
        }
        let content = Data(repeating: 7, count: 2 << 20)
        let file = try TemporaryFile(named: "a.bin", content)
        let client = try TestClient.client(at: server.baseURL)
        try await client.enqueue(
            .post("upload", body: .multipart(fields: ["n": 1], [.file("f", file.url)]))
        ).value
        let (type, body) = try #require(received.values.first)
        let form = try Form(EncodedBody(data: body, contentType: type))
        #expect(form.parts.map(\.content) == [Data("1".utf8), content])
        await server.stop()
    }
    #endif

    /// A law: what a form is made of can be read again, whatever its bytes.
    @Test(arguments: UInt64(0)..<200)
    func `parts can be told apart again`(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let pieces = ["--", "\r\n", "larder-", "a", "\"", "\n", "\r", "é", ";", "=", " ", "\0"]
        var contents: [Data] = []
        var parts: [RequestBody.Part] = []
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let text = random.word(of: pieces, upTo: 12)
            contents.append(Data(text.utf8))
            let name = random.word(of: pieces, upTo: 4)
            parts.append(
                Bool.random(using: &random) ? .field(name, text) : .data(name, Data(text.utf8)))
        }
        let form = try Form(RequestBody.multipart(parts).encoded())
        #expect(form.parts.map(\.content) == contents, "seed \(seed)")
        #expect(form.parts.map(\.isFile) == parts.map { $0.fileName != nil }, "seed \(seed)")
    }
}

/// A form as a server reads it.
private struct Form {
    struct Part {
        let head: String
        let content: Data

        var isFile: Bool { head.contains("; filename=\"") }

        var name: String {
            String(head.split(separator: "name=\"", maxSplits: 1)[1].prefix { $0 != "\"" })
        }
    }

    let boundary: String
    let parts: [Part]

    init(_ body: EncodedBody) throws {
        let type = try #require(body.contentType)
        let prefix = "multipart/form-data; boundary="
        try #require(type.hasPrefix(prefix))
        boundary = String(type.dropFirst(prefix.count))
        var rest = Data("\r\n".utf8) + body.data
        var parts: [Part] = []
        let mark = Data("\r\n--\(boundary)".utf8)
        try #require(rest.starts(with: mark))
        rest = rest.dropFirst(mark.count)
        while !rest.starts(with: Data("--\r\n".utf8)) {
            try #require(rest.starts(with: Data("\r\n".utf8)))
            rest = rest.dropFirst(2)
            let end = try #require(rest.range(of: mark))
            let part = rest[..<end.lowerBound]
            let blank = try #require(part.range(of: Data("\r\n\r\n".utf8)))
            parts.append(
                Part(
                    head: String(decoding: part[..<blank.lowerBound], as: UTF8.self),
                    content: Data(part[blank.upperBound...])))
            rest = rest[end.upperBound...]
        }
        try #require(rest.count == 4)
        self.parts = parts
    }
}
