import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite(.platformTransport) struct RawServerTests {
    @Test func `the bytes are sent as they are`() async throws {
        let server = try RawServer(sending: "HTTP/1.1 299 Odd\r\nContent-Length: 3\r\n\r\nabc")
        defer { server.stop() }
        let response = try await PlatformTransport().response(to: .to(server.baseURL))
        #expect(response.head.status.code == 299)
        // URLSession tells of no phrase.
        #expect(["Odd", ""].contains(response.head.status.reasonPhrase))
        #expect(response.body == Data("abc".utf8))
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: [20_000, 200_000])
    func `a request is read with its content`(_ count: Int) async throws {
        let heard = Heard()
        let server = try RawServer { connection in
            heard.note(try connection.readRequest())
            try connection.send("HTTP/1.1 204 No\r\n\r\n")
        }
        defer { server.stop() }
        let body = Data(repeating: 65, count: count)
        _ = try await PlatformTransport().response(
            to: .to(server.baseURL, method: .post, body: body))
        let content = String(repeating: "A", count: count)
        #expect(heard.texts.first?.hasSuffix("\r\n\r\n" + content) == true)
    }

    @Test func `stopping ends what a connection waits for`() async throws {
        let waiting = Gate()
        let ended = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            waiting.open()
            connection.waitForClose()
            ended.open()
        }
        let transport = PlatformTransport()
        async let error = transport.error(of: .to(server.baseURL))
        try await waiting.wait()
        server.stop()
        server.stop()
        try await ended.wait()
        #expect(await error?.reason == .connectionLost)
    }
}
