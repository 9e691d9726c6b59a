#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import TestProgram
import Testing

@testable import LarderClient

/// What holds with nginx, over TLS and HTTP/2.
@Suite(
    .enabled(if: NginxServer.isPossible, "There is no nginx, no python3 or no openssl on the PATH.")
)
struct NginxTests {
    @Test func `64 cold requests go over one connection`() async throws {
        try await with { server in
            let transport = CurlTransport(configuration: try server.configuration())
            let responses = try await transport.responses(
                toAll: Array(repeating: .secure(server.baseURL), count: 64))
            #expect(responses.count == 64 && Set(responses.map(\.body)).count == 1)
        }
    }

    /// Below libcurl 8.14 they go over connections of their own, as one that stops would stop all others.
    @Test func `one of 64 streams that stops holds up no other, in little memory`() async throws {
        try await with { server in
            let run = try await TestProgram(builtAs: "FaultRunner").run([
                "streams", server.baseURL.absoluteString,
                server.folder.appending(path: "authority.pem").path(percentEncoded: false),
                "file-large", "64", "\(NginxServer.largeSize)",
            ])
            #expect(run.status == 0, "\(run.output) \(run.errors)")
            let kilobytes = try #require(Int(run.output.prefix { $0.isNumber }), "\(run.output)")
            // Buffers of as many connections; what they would bring is ten times as much.
            #expect(kilobytes < Sanitizer.allowed(24 << 10))
        }
    }

    @Test func `each fault of a certificate is an error of its own`() async throws {
        try await with { server in
            let good = CurlTransport(configuration: try server.configuration())
            #expect(await good.error(of: .secure(server.baseURL)) == nil)
            let untrusting = CurlTransport(
                configuration: try server.configuration {
                    $0.authorities = .only(try server.file("selfSigned.pem"))
                })
            let pinned = CurlTransport(
                configuration: try server.configuration {
                    $0.pins = [try PublicKeyPin(Data(count: 32).base64EncodedString())]
                })
            let faults = [
                (untrusting, server.baseURL, "The server's certificate is not trusted."),
                (good, server.otherHostURL, "The server's certificate is for another host."),
                (good, server.expiredURL, "The server's certificate has expired."),
                (
                    pinned, server.baseURL,
                    "The server's public key is none of those that are pinned."
                ),
            ]
            for (transport, url, message) in faults {
                let error = await transport.error(of: .secure(url))
                #expect(error?.reason == .secureConnectionFailed)
                #expect(error?.message == message)
            }
            let right = try #require(
                String(decoding: try server.file("pin"), as: UTF8.self)
                    .split(separator: "\n").first)
            let pinnedRightly = CurlTransport(
                configuration: try server.configuration {
                    $0.pins = [try PublicKeyPin(String(right))]
                })
            #expect(await pinnedRightly.error(of: .secure(server.baseURL)) == nil)
        }
    }

    @Test(arguments: [("client", 200), ("revoked", 400), (nil, 400)])
    func `a client's certificate is taken unless it has been revoked`(
        _ name: String?, _ status: Int
    ) async throws {
        try await with { server in
            let transport = CurlTransport(
                configuration: try server.configuration {
                    guard let name else { return }
                    $0.clientCertificate = .pem(
                        certificates: try server.file("\(name).pem"),
                        key: try server.file("server.key"))
                })
            let response = try await transport.response(to: .secure(server.mutualURL))
            #expect(response.head.status.code == status)
        }
    }

    @Test func `conditions, parts and refusals arrive as they are`() async throws {
        try await with { server in
            let transport = CurlTransport(configuration: try server.configuration())
            let file = try await transport.response(to: .secure(server.baseURL, "/file"))
            #expect(file.body.count == 1000)
            let tag = try #require(file.head.headerFields[.eTag])
            var request = TransportRequest.secure(server.baseURL, "/file")
            request.head.headerFields[.ifNoneMatch] = tag
            let same = try await transport.response(to: request)
            #expect(same.head.status == .notModified && same.body.isEmpty)
            request.head.headerFields = [.range: "bytes=10-19"]
            let part = try await transport.response(to: request)
            #expect(part.head.status == .partialContent && part.body.count == 10)
            #expect(part.head.headerFields[.contentRange] == "bytes 10-19/1000")
            let busy = try await transport.response(to: .secure(server.baseURL, "/busy"))
            #expect(busy.head.status == .tooManyRequests)
            #expect(busy.head.headerFields[.retryAfter] == "7")
        }
    }

    @Test func `a server that drops connections is an error, and others are not its victims`()
        async throws
    {
        try await with { server in
            let transport = CurlTransport(configuration: try server.configuration())
            for method in [HTTPRequest.Method.get, .post] {
                let error = await transport.error(
                    of: .secure(server.baseURL, "/drop", method: method))
                #expect(error != nil && error?.reason != .timedOut)
                _ = try await transport.response(to: .secure(server.baseURL))
            }
            let sent = try server.requests()
            #expect(sent.filter { $0.hasPrefix("POST /drop") }.count == 1)
            #expect(sent.filter { $0.hasPrefix("GET /drop") }.count <= 2)
        }
    }

    @Test(arguments: [true, false])
    func `a restart under 64 requests settles all, and doubles no POST`(
        _ isGraceful: Bool
    ) async throws {
        try await with { server in
            let transport = CurlTransport(configuration: try server.configuration())
            let half = Gate()
            let answered = Seen<String>()
            let failed = Seen<String>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<64 {
                    group.addTask {
                        for index in 0..<20 {
                            let method: HTTPRequest.Method = lane % 2 == 0 ? .get : .post
                            let path = "/\(lane)-\(index)"
                            let result = await Self.result(
                                transport, .secure(server.baseURL, path, method: method))
                            (result == nil ? answered : failed).note(path)
                            if answered.count > 300 { half.open() }
                            #expect(result != .timedOut && result != .other)
                        }
                    }
                }
                try await half.wait()
                if isGraceful { try await server.reload() } else { try await server.restart() }
                try await group.waitForAll()
            }
            #expect(answered.count + failed.count == 64 * 20)
            if isGraceful { #expect(failed.values.count < 64) }
            let sent = try server.requests()
            let posts = sent.filter { $0.hasPrefix("POST") }
            #expect(Set(posts).count == posts.count)
            // And it goes on.
            _ = try await transport.response(to: .secure(server.baseURL))
        }
    }

    private static func result(
        _ transport: CurlTransport, _ request: TransportRequest
    ) async -> TransportError.Reason? {
        await transport.error(of: request)?.reason
    }

    private func with(_ work: (NginxServer) async throws -> Void) async throws {
        let server = try await NginxServer()
        do {
            try await work(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
#endif
