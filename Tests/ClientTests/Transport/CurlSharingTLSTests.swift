#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// Which requests share a connection over TLS.
@Suite(.enabled(if: TLSServer.isPossible, "There is no python3 or no openssl on the PATH."))
struct CurlSharingTLSTests {
    @Test func `64 cold requests go over one connection`() async throws {
        let server = try await TLSServer(.numbers)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let request = TransportRequest.secure(server.baseURL)
        let responses = try await transport.responses(toAll: Array(repeating: request, count: 64))
        #expect(Set(responses.map(\.body)) == [Data("1".utf8)])
    }

    @Test func `HTTP-2 is not spoken where it is not to be`() async throws {
        let server = try await TLSServer(.paths)
        defer { server.stop() }
        var configuration = server.configuration
        configuration.httpVersions = .upTo1
        let request = TransportRequest.secure(server.baseURL, "/1")
        let one = try await CurlTransport(configuration: configuration).response(to: request)
        #expect(one.head.status.reasonPhrase == "OK")
        configuration.httpVersionsOfHosts["127.0.0.1"] = .upTo2
        let two = try await CurlTransport(configuration: configuration).response(to: request)
        #expect(two.head.status.reasonPhrase == "")
        #expect([one.body, two.body] == [Data("/1".utf8), Data("/1".utf8)])
    }

    @Test func `a server of HTTP-1 that closes its connections is asked by eight at once`()
        async throws
    {
        let server = try await TLSServer(.eightAtOnce)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let request = TransportRequest.secure(server.baseURL)
        for _ in 0..<3 {
            let responses = try await transport.responses(
                toAll: Array(repeating: request, count: 8))
            #expect(responses.allSatisfy { $0.head.status == .ok })
        }
    }

    /// What is set for a connection is set for its host and its transport; libcurl tells hosts by their names.
    @Test func `what is set otherwise shares no connection`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let request = TransportRequest.secure(server.baseURL)
        let good = CurlTransport(configuration: server.configuration)
        _ = try await good.response(to: request)
        let key = try server.file("server.key")
        for change in [
            { $0.pins = [try PublicKeyPin(Data(count: 32).base64EncodedString())] },
            { $0.authorities = .only(try server.file("selfSigned.pem")) },
            { $0.clientCertificate = .pem(certificates: Data("x".utf8), key: key) },
        ] as [(inout TLSSettings) throws -> Void] {
            var configuration = server.configuration
            var settings = try #require(configuration.tls["127.0.0.1"])
            try change(&settings)
            configuration.tls["127.0.0.1"] = settings
            let transport = CurlTransport(configuration: configuration)
            #expect(await transport.error(of: request)?.reason == .secureConnectionFailed)
        }
        #expect(try await good.response(to: request).body == Data("1 /".utf8))

        let plain = try RawServer { connection in
            while true {
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { plain.stop() }
        var configuration = CurlTransport.Configuration()
        for host in ["a.invalid", "b.invalid"] { configuration.addresses[host] = ["127.0.0.1"] }
        let transport = CurlTransport(configuration: configuration)
        for host in ["a.invalid", "b.invalid", "a.invalid", "b.invalid"] {
            var request = TransportRequest.to(plain.baseURL)
            request.head.authority = "\(host):\(plain.port)"
            _ = try await transport.response(to: request)
        }
        #expect(plain.connectionCount == 2)
    }

    @Test func `those that wait for a connection in vain keep to their timeouts`() async throws {
        let server = try RawServer { $0.waitForClose() }
        defer { server.stop() }
        // Where there is none of the system's, libcurl doesn't begin without an authority.
        let other = try await TLSServer(.numbers)
        defer { other.stop() }
        let transport = CurlTransport(configuration: other.configuration)
        var request = TransportRequest.secure(server.baseURL)
        request.timeout = .milliseconds(300)
        let reasons = Seen<TransportError.Reason?>()
        await withTaskGroup(of: Void.self) { [request] group in
            for _ in 0..<16 {
                group.addTask { reasons.note(await transport.error(of: request)?.reason) }
            }
        }
        #expect(reasons.values == Array(repeating: .timedOut, count: 16))
    }

    @Test func `those that have waited long enough connect themselves`() async throws {
        let accepted = Gate()
        let server = try RawServer { connection in
            accepted.open()
            connection.waitForClose()
        }
        defer { server.stop() }
        let other = try await TLSServer(.numbers)
        defer { other.stop() }
        var configuration = other.configuration
        configuration.sharingPatience = .milliseconds(20)
        let transport = CurlTransport(configuration: configuration)
        let tasks = (0..<4).map { _ in
            transport.send(.secure(server.baseURL)) { _ in }
        }
        defer { for task in tasks { task.cancel() } }
        try await accepted.wait()
        while server.connectionCount < 4 { await Task.yield() }
    }
}
#endif
