import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

extension HTTPBinTests {
    /// Content as httpbin reads it.
    @Suite struct Bodies {
        let client: Client

        init() async throws {
            client = try TestClient.client(at: try await HTTPBin.shared.baseURL)
        }

        @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
        func `JSON arrives with each method that may have content`(
            _ method: HTTPRequest.Method
        ) async throws {
            let seen = try await client.json(
                AdHocEndpoint(
                    method, URLPath(method.rawValue.lowercased()),
                    body: .json(["text": "ü / \"日\"", "n": 3, "none": nil, "list": [true]])))
            #expect(seen.text("json.text") == "ü / \"日\"")
            #expect(seen.value(at: "json.n")?.integer == 3)
            #expect(seen.value(at: "json.none")?.isNull == true)
            #expect(seen.value(at: "json.list")?.elements?.map(\.bool) == [true])
            #expect(seen.text("headers.Content-Type") == "application/json")
            let data = try #require(seen.text("data"))
            #expect(seen.text("headers.Content-Length") == "\(data.utf8.count)")
            #expect(data.contains("ü / "))
        }

        @Test func `a form arrives with its arrays, its signs and what is empty`() async throws {
            let form: QueryParameters = [
                "a": 1, "q": "ü &=+%/ \r\n", "empty": "", "none": nil as Int?, "ids": ["x", "y"],
            ]
            let seen = try await client.json(.post("post", body: .form(form)))
            #expect(seen.keys("form") == ["a", "empty", "ids[]", "q"])
            #expect(seen.text("form.a") == "1" && seen.text("form.empty") == "")
            #expect(seen.text("form.q") == "ü &=+%/ \r\n")
            #expect(seen.texts("form.ids[]") == ["x", "y"])
            #expect(seen.text("headers.Content-Type") == "application/x-www-form-urlencoded")
        }

        @Test func `text arrives in UTF-8, and says so`() async throws {
            let text = "Здравствуй 世界 🙂\r\n\u{0}"
            let seen = try await client.json(.put("put", body: .text(text)))
            #expect(seen.text("data") == text)
            #expect(seen.value(at: "json")?.isNull == true)
            #expect(seen.text("headers.Content-Type") == "text/plain; charset=utf-8")
        }

        @Test func `bytes arrive as they are, from memory and from a file`() async throws {
            let bytes = Data((0...255).map { UInt8($0) })
            let file = try TemporaryFile(named: "é.png", bytes)
            for (body, type) in [
                (RequestBody.data(bytes), "application/octet-stream"),
                (RequestBody.file(file.url), "image/png"),
            ] {
                let seen = try await client.json(.post("post", body: body))
                let expected = "data:application/octet-stream;base64,\(bytes.base64EncodedString())"
                #expect(seen.text("data") == expected)
                #expect(seen.text("headers.Content-Type") == type)
                #expect(seen.text("headers.Content-Length") == "256")
            }
        }

        @Test func `patches say which they are`() async throws {
            let merge = try await client.json(
                .patch("patch", body: .mergePatch(["title": "x", "assignee": nil])))
            #expect(merge.text("headers.Content-Type") == "application/merge-patch+json")
            #expect(merge.keys("json") == ["assignee", "title"])
            #expect(merge.value(at: "json.assignee")?.isNull == true)
            let steps = try await client.json(
                .patch("patch", body: .jsonPatch([.test("/n", 3), .remove("/labels/0")])))
            #expect(steps.text("headers.Content-Type") == "application/json-patch+json")
            let operations = try #require(steps.value(at: "json")?.elements)
            #expect(operations.map { $0.text("op") } == ["test", "remove"])
            #expect(operations.map { $0.text("path") } == ["/n", "/labels/0"])
        }

        @Test func `compressed content says how, and is what gzip knows`() async throws {
            let body = RequestBody.text(String(repeating: "Larder ", count: 1_000)).compressed()
            let seen = try await client.json(.post("post", body: body))
            #expect(seen.text("headers.Content-Encoding") == "gzip")
            #expect(seen.text("headers.Content-Type") == "text/plain; charset=utf-8")
            let text = try #require(seen.text("data")?.split(separator: ",").last)
            let data = try #require(Data(base64Encoded: String(text)))
            #expect(data.starts(with: [0x1F, 0x8B, 8]) && data.count < 500)
            #expect(seen.text("headers.Content-Length") == "\(data.count)")
        }

        // MARK: - Forms in parts

        @Test(arguments: [
            "title", "名前", "имя", "اسم", "שם", "नाम", "ชื่อ", "🙂👩‍👩‍👧", "e\u{301}", "a b;c=d,'e'",
            "a\"b", "--x", "",
        ])
        func `fields arrive whatever they are called, and whatever is in them`(
            _ name: String
        ) async throws {
            let values = [name, "a\r\n--b\r\n", "", "c=\"d\"; e"]
            for value in values {
                let seen = try await client.json(
                    .post("post", body: .multipart([.field(name, value), .field("last", "x")])))
                #expect(seen.keys("form") == [name, "last"].sorted())
                #expect(seen.value(at: "form")?[name]?.string == value)
                #expect(seen.text("form.last") == "x")
            }
        }

        @Test(arguments: [
            ("日本.txt", "日本.txt"), ("Отчёт за 2026.pdf", "Отчёт за 2026.pdf"),
            ("تقرير.csv", "تقرير.csv"), ("🙂.png", "🙂.png"), ("e\u{301}.txt", "e\u{301}.txt"),
            ("a\"b\".txt", "a\"b\".txt"), ("a;b='c',d.txt", "a;b='c',d.txt"), ("..", ".."),
            // So the standard has it, and nobody reads it back.
            ("a\r\nb.txt", "a%0D%0Ab.txt"),
        ])
        func `files arrive whatever they are called`(
            _ name: String, _ expected: String
        ) async throws {
            let bytes = Data([0, 0xFF, 13, 10, 45, 45])
            let response = try await client.enqueue(
                .post(
                    "post",
                    body: .multipart(
                        fields: ["n": 1],
                        [
                            .data("raw", bytes, fileName: name),
                            .body("meta", .json(["n": 1]), fileName: "meta.json"),
                        ])), as: Response<JSONDocument>.self
            ).value
            let seen = response.value.root
            #expect(seen.text("form.n") == "1")
            let base64 = bytes.base64EncodedString()
            #expect(seen.text("files.raw") == "data:application/octet-stream;base64,\(base64)")
            #expect(seen.text("files.meta") == #"{"n":1}"#)
            #expect(
                try Self.files(of: response) == [
                    ["raw", expected, "application/octet-stream"],
                    ["meta", "meta.json", "application/json"],
                ])
        }

        @Test func `files of one field keep their order, and large ones their end`() async throws {
            let large = Data(repeating: UInt8(ascii: "a"), count: 1_500_000) + Data("end".utf8)
            let file = try TemporaryFile(named: "Größe.txt", large)
            let last = Seen<TransferProgress>()
            let response = try await client.reportingProgress { last.note($0) }.enqueue(
                .post(
                    "anything",
                    body: .multipart([
                        .file("x", file.url), .data("x", Data("b".utf8), fileName: "b"),
                        .field("end", "1"),
                    ])), as: Response<JSONDocument>.self
            ).value
            let seen = response.value.root
            // httpbin says the content of the first only.
            #expect(seen.text("files.x")?.utf8.count == large.count)
            #expect(seen.text("files.x")?.hasSuffix("aend") == true)
            #expect(seen.text("form.end") == "1")
            #expect(
                try Self.files(of: response) == [
                    ["x", "Größe.txt", "text/plain"], ["x", "b", "application/octet-stream"],
                ])
            let sent = try #require(last.values.last)
            #expect(sent.fractionSent == 1 && sent.fractionReceived == 1)
            #expect(seen.text("headers.Content-Length") == "\(sent.sent)")
        }

        /// The names, the files' names and the types of a form's files.
        private static func files(of response: Response<JSONDocument>) throws -> [[String]] {
            let names = try #require(response.headerFields[.named("X-Files")])
            return try JSONDocument(names).root.decode([[String]].self)
        }
    }
}
