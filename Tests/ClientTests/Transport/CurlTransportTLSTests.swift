#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// What holds over TLS, against servers that are processes of their own.
@Suite(.enabled(if: TLSServer.isPossible, "There is no python3 or no openssl on the PATH."))
struct CurlTransportTLSTests {
    @Test func `a connection is used again`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        for path in ["/0", "/1", "/2"] {
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try await text(of: transport, server, path, method) == "1 \(path)")
            }
        }
    }

    @Test(arguments: [TLSServer.Behaviour.unaskedBehindLength, .unaskedBehindChunks])
    func `what comes unasked behind the content answers no request`(
        _ behaviour: TLSServer.Behaviour
    ) async throws {
        let server = try await TLSServer(behaviour)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        for path in ["/0", "/1", "/2", "/3", "/4"] {
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try await text(of: transport, server, path, method) == path)
            }
        }
    }

    @Test(arguments: [
        TLSServer.Behaviour.earlyWithoutContent, .earlyWithLength, .earlyWithoutLength,
    ])
    func `a request may be answered before its content is read`(
        _ behaviour: TLSServer.Behaviour
    ) async throws {
        let server = try await TLSServer(behaviour)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let isEmpty = behaviour == .earlyWithoutContent
        for size in Array(repeating: 5, count: 20) + [0, 70_000, 0, 70_000] {
            #expect(try await text(of: transport, server, "/") == (isEmpty ? "" : "2"))
            let body = Data(repeating: 0x20, count: size)
            let text = try await text(of: transport, server, "/", .post, body)
            #expect(text == (isEmpty ? "" : "1"))
        }
    }

    @Test(arguments: [
        (TLSServer.Certificate.expired, "The server's certificate has expired."),
        (.selfSigned, "The server's certificate is not trusted."),
        (.otherHost, "The server's certificate is for another host."),
    ])
    func `an error says what is wrong with a certificate`(
        _ certificate: TLSServer.Certificate, _ message: String
    ) async throws {
        let server = try await TLSServer(.echo, certificate: certificate)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let error = await transport.error(of: .secure(server.baseURL))
        #expect(error == TransportError(.secureConnectionFailed, message, code: 60))
    }

    @Test func `an error says that nobody vouches for a certificate`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let error = await CurlTransport().error(of: .secure(server.baseURL))
        #expect(error?.message == "The server's certificate is not trusted.")
    }

    @Test func `an error says that a server is too old`() async throws {
        let server = try await TLSServer(.old)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let error = await transport.error(of: .secure(server.baseURL))
        #expect(
            error
                == TransportError(
                    .secureConnectionFailed, "The server speaks no TLS version that is safe.",
                    code: 35))
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "The server does not speak TLS on this port."),
        ("", "The server ended the connection during the TLS handshake."),
    ])
    func `an error says that a server doesn't speak TLS`(
        _ answer: String, _ message: String
    ) async throws {
        let server = try RawServer { connection in
            try connection.send(answer)
            if !answer.isEmpty { connection.waitForClose() }
        }
        defer { server.stop() }
        let error = await CurlTransport().error(of: .secure(server.baseURL))
        #expect(error == TransportError(.secureConnectionFailed, message, code: 35))
    }

    @Test func `a process may end while exchanges are under way`() async {
        for _ in 0..<5 {
            await #expect(processExitsWith: .success) {
                let server = try await TLSServer(.echo)
                // Asked for before the TLS library, it runs behind that one's end, and lets others go on.
                atexit { for _ in 0..<2000 { sched_yield() } }
                let isAnswered = Gate()
                // All shake hands, as no connection is there yet.
                let transports = (0..<4).map { _ in
                    CurlTransport(configuration: server.configuration)
                }
                for _ in 0..<30 {
                    for transport in transports {
                        transport.send(.secure(server.baseURL)) { _ in isAnswered.open() }
                    }
                }
                try await isAnswered.wait()
                withExtendedLifetime((server, transports)) { exit(EXIT_SUCCESS) }
            }
        }
    }

    private func text(
        of transport: CurlTransport, _ server: TLSServer, _ path: String,
        _ method: HTTPRequest.Method = .get, _ body: Data? = nil
    ) async throws -> String {
        let response = try await transport.response(
            to: .secure(server.baseURL, path, method: method, body: body))
        return String(decoding: response.body, as: UTF8.self)
    }
}

extension TransportRequest {
    fileprivate static func secure(
        _ baseURL: URL, _ path: String = "/", method: HTTPRequest.Method = .get, body: Data? = nil
    ) -> TransportRequest {
        var request = TransportRequest.to(baseURL, path, method: method, body: body)
        request.head.scheme = "https"
        return request
    }
}
#endif
