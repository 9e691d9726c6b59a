import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct TransportRequestCurlTests {
    private static func request(
        _ method: HTTPRequest.Method = .get, _ path: String = "/x", _ fields: HTTPFields = [:],
        body: Data? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "a.test", path: path,
                headerFields: fields),
            body: body)
    }

    @Test func `each method has its option`() {
        let text = Data("a".utf8)
        #expect(Self.request().curlCommand() == "curl 'https://a.test/x'")
        #expect(Self.request(.head).curlCommand() == "curl --head 'https://a.test/x'")
        #expect(
            Self.request(.delete).curlCommand() == "curl --request 'DELETE' 'https://a.test/x'")
        #expect(
            Self.request(.post, body: text).curlCommand()
                == "curl 'https://a.test/x' --data-raw 'a' --header 'Content-Type:'")
        #expect(
            Self.request(.put, "/x", [.contentType: "text/plain"], body: text).curlCommand()
                == "curl --request 'PUT' 'https://a.test/x' --header 'Content-Type: text/plain' "
                + "--data-raw 'a'")
        #expect(
            Self.request(.post).curlCommand() == "curl --request 'POST' 'https://a.test/x'")
    }

    @Test func `secrets are left out, unless they are asked for`() {
        let request = Self.request(
            .post, "/x?token=hidden&page=2",
            [.authorization: "Bearer hidden", .contentType: "application/json", .accept: "a/b"],
            body: Data(#"{"password": "hidden", "name": "ann"}"#.utf8))
        let command = request.curlCommand()
        #expect(!command.contains("hidden"))
        #expect(command.contains("page=2") && command.contains("ann"))
        #expect(command.contains("--header 'Authorization: …'"))
        let whole = request.curlCommand(redacting: nil)
        #expect(whole.components(separatedBy: "hidden").count == 4)
    }

    @Test func `a JSON Patch shows no secret, either`() throws {
        let patch = RequestBody.jsonPatch([
            .test("/password", "hidden"), .replace("/users/0/pin", "hidden"),
            .replace("/name", "ann"),
        ])
        let command = Self.request(
            .patch, "/x", [.contentType: "application/json-patch+json"],
            body: try patch.encoded().data
        ).curlCommand()
        #expect(!command.contains("hidden") && command.contains("ann"))
    }

    @Test func `content that is no text is a file's`() {
        for bytes in [Data([0xFF, 0xFE]), Data("a\0b".utf8)] {
            let request = Self.request(.post, "/x", [.contentType: "image/png"], body: bytes)
            #expect(request.curlCommand().hasSuffix("--data-binary @content"))
        }
    }

    /// What the shell makes of the command is what the request has.
    @Test(arguments: [
        "plain", "it's", "x'\u{301}; touch /tmp/owned; echo '\u{301}", "'; rm -rf /; '",
        "$HOME `id` \\ \"x\"", "a\nb", "%20 !x ~ * ?", "",
    ])
    func `a shell reads each word as it is`(_ text: String) throws {
        let request = Self.request(
            .post, "/x", [.contentType: "text/plain", .named("X-Empty"): ""],
            body: Data(text.utf8))
        let command = request.curlCommand(redacting: nil)
            .replacingOccurrences(of: "curl ", with: "printf '%s\\0' ", options: .anchored)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let data = try #require(try output.fileHandleForReading.readToEnd())
        shell.waitUntilExit()
        let words = String(decoding: data, as: UTF8.self).split(
            separator: "\0", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
        #expect(
            words == [
                "https://a.test/x", "--header", "Content-Type: text/plain", "--header", "X-Empty;",
                "--data-raw", text,
            ])
    }
}
