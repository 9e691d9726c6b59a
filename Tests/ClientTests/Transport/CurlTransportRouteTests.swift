#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// Connections by the settings of their hosts, over real proxies, sockets and TLS.
@Suite(
    .enabled(
        if: TLSServer.isPossible && ProxyServer.isPossible,
        "There is no python3 or no openssl on the PATH."))
struct CurlTransportRouteTests {
    private func origin() async throws -> LoopbackServer {
        let server = try await LoopbackServer()
        server.route(nil, "/:path") { request in
            .json(#"{"proxy": \#(request.headerFields[.proxyAuthorization] != nil)}"#)
        }
        return server
    }

    private func text(
        of transport: CurlTransport, _ request: TransportRequest
    ) async throws -> String {
        String(decoding: try await transport.response(to: request).body, as: UTF8.self)
    }

    private func transport(_ configure: (inout CurlTransport.Configuration) throws -> Void) rethrows
        -> CurlTransport
    {
        var configuration = CurlTransport.Configuration()
        try configure(&configuration)
        return CurlTransport(configuration: configuration)
    }

    /// A request to a host of a name that nobody looks up.
    private func request(
        _ scheme: String, _ host: String, _ port: Int?, _ path: String = "/a",
        _ fields: HTTPFields = [:]
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: scheme, authority: "\(host):\(port ?? 0)", path: path,
                headerFields: fields),
            timeout: .seconds(600))
    }

    // MARK: - Proxies

    @Test func `a proxy forwards, and the host does not hear of its password`() async throws {
        let (origin, proxy) = (try await origin(), try await ProxyServer(.guarded))
        defer { proxy.stop() }
        let transport = try transport {
            $0.proxies = .all(try Proxy("http://ann:se%3Acret@127.0.0.1:\(proxy.port)"))
        }
        let request = request("http", "origin.test", origin.baseURL.port)
        #expect(try await text(of: transport, request) == #"{"proxy": false}"#)
        #expect(
            proxy.lines == [
                "GET http://origin.test:\(origin.baseURL.port ?? 0)/a HTTP/1.1 | proxy-authorization"
            ])
        await origin.stop()
    }

    @Test(arguments: [ProxyServer.Behaviour.http, .guarded])
    func `a tunnel hides fields from the proxy, and the proxy from the host`(
        _ behaviour: ProxyServer.Behaviour
    ) async throws {
        let (origin, proxy) = (try await TLSServer(.echo), try await ProxyServer(behaviour))
        defer { origin.stop() }
        defer { proxy.stop() }
        var configuration = origin.configuration
        configuration.proxies = .all(
            try Proxy("http://127.0.0.1:\(proxy.port)", username: "ann", password: "se:cret"))
        let transport = CurlTransport(configuration: configuration)
        for number in 0..<3 {
            let response = try await transport.response(
                to: request(
                    "https", "127.0.0.1", origin.baseURL.port, "/\(number)",
                    [.authorization: "Bearer x"]))
            // One connection, and none of the proxy's own fields.
            #expect(String(decoding: response.body, as: UTF8.self) == "1 /\(number)")
            #expect(response.head.headerFields.map(\.name.rawName) == ["Content-Length"])
        }
        let target = "CONNECT 127.0.0.1:\(origin.baseURL.port ?? 0) HTTP/1.1"
        #expect(proxy.lines == [target + " | proxy-authorization"])
    }

    @Test func `a proxy over https shows a certificate of its own`() async throws {
        let origin = try await TLSServer(.echo)
        defer { origin.stop() }
        let proxy = try await ProxyServer(.http, certificate: origin.path(of: "otherHost.pem"))
        defer { proxy.stop() }
        let authority = TLSSettings(authorities: .only(try origin.file("authority.pem")))
        let request = request("https", "127.0.0.1", origin.baseURL.port)
        for (host, reason) in [
            ("elsewhere.test", nil), ("other.test", .secureConnectionFailed),
        ] as [(String, TransportError.Reason?)] {
            var configuration = origin.configuration
            // Nobody looks up the name of a proxy that has an address.
            configuration.addresses[host] = ["127.0.0.1"]
            configuration.tls[host] = authority
            configuration.proxies = .all(try Proxy("https://\(host):\(proxy.port)"))
            let error = await CurlTransport(configuration: configuration).error(of: request)
            #expect(error?.reason == reason)
        }
        #expect(proxy.lines.count == 1)
        // Nobody can tell what has come unasked over a tunnel in a tunnel.
        var configuration = origin.configuration
        configuration.addresses["elsewhere.test"] = ["127.0.0.1"]
        configuration.tls["elsewhere.test"] = authority
        configuration.proxies = .all(try Proxy("https://elsewhere.test:\(proxy.port)"))
        let transport = CurlTransport(configuration: configuration)
        for _ in 0..<2 { _ = try await transport.response(to: request) }
        #expect(proxy.lines.count == (CurlConnections.isNeeded ? 3 : 2))
    }

    @Test func `SOCKS takes name and password, and the host's name where it is to`() async throws {
        let (origin, proxy) = (try await origin(), try await ProxyServer(.socks))
        defer { proxy.stop() }
        let transport = try transport {
            $0.proxies = .all(try Proxy("socks5h://ann:se%3Acret@127.0.0.1:\(proxy.port)"))
        }
        let port = origin.baseURL.port
        #expect(
            try await text(of: transport, request("http", "origin.test", port))
                == #"{"proxy": false}"#)
        #expect(proxy.lines == ["origin.test:\(port ?? 0)"])
        let stranger = try self.transport {
            $0.proxies = .all(try Proxy("socks5h://bob:x@127.0.0.1:\(proxy.port)"))
        }
        let error = await stranger.error(of: request("http", "origin.test", port))
        #expect(error?.reason == .proxyFailed)
        await origin.stop()
    }

    @Test func `exceptions go directly`() async throws {
        let (origin, proxy) = (try await origin(), try await ProxyServer(.http))
        defer { proxy.stop() }
        let transport = try transport {
            $0.proxies = .all(try Proxy("127.0.0.1:\(proxy.port)"), except: ["127.0.0.0/8"])
        }
        let request = request("http", "127.0.0.1", origin.baseURL.port)
        #expect(try await text(of: transport, request) == #"{"proxy": false}"#)
        #expect(proxy.lines == [])
        await origin.stop()
    }

    @Test(arguments: [
        (ProxyServer.Behaviour.refusing, "https", "The proxy refused to connect to the host."),
        (.guarded, "https", "The proxy asks for a name and a password"),
        (.guarded, "http", "The proxy asks for a name and a password"),
    ])
    func `a proxy that lets nobody through says so`(
        _ behaviour: ProxyServer.Behaviour, _ scheme: String, _ message: String
    ) async throws {
        let proxy = try await ProxyServer(behaviour)
        defer { proxy.stop() }
        let transport = try transport {
            $0.proxies = .all(try Proxy("http://ann:wrong@127.0.0.1:\(proxy.port)"))
        }
        let error = await transport.error(of: request(scheme, "origin.test", 443))
        #expect(error?.reason == .proxyFailed && error?.message.hasPrefix(message) == true)
    }

    @Test func `a proxy that hangs up before it answers has refused nothing`() async throws {
        let (origin, proxy) = (try await TLSServer(.echo), try await ProxyServer(.abrupt))
        defer { origin.stop() }
        defer { proxy.stop() }
        var configuration = origin.configuration
        configuration.proxies = .all(try Proxy("http://127.0.0.1:\(proxy.port)"))
        let transport = CurlTransport(configuration: configuration)
        var request = request("https", "127.0.0.1", origin.baseURL.port)
        request.head.method = .post
        let error = await transport.error(of: request)
        #expect(error?.reason == .cannotConnect)
        #expect(error?.message == "The proxy ended the connection before it had answered.")
        #expect(try await transport.response(to: request).head.status == .ok)
        #expect(proxy.lines.count == 2)
    }

    @Test(.enabled(if: NginxServer.isPossible, "There is no nginx."))
    func `nothing stands still in a tunnel through a proxy over https`() async throws {
        let origin = try await NginxServer()
        let proxy = try await ProxyServer(
            .gathering, certificate: origin.folder.appending(path: "good.pem").path())
        defer { proxy.stop() }
        var configuration = try origin.configuration()
        configuration.proxies = .all(try Proxy("https://127.0.0.1:\(proxy.port)"))
        let transport = CurlTransport(configuration: configuration)
        var request = TransportRequest.secure(origin.baseURL, "/file")
        // None that stands still goes on by itself.
        request.timeout = .seconds(30)
        for _ in 0..<3 {
            let responses = try await transport.responses(
                toAll: Array(repeating: request, count: 4))
            #expect(responses.map(\.body.count) == [1000, 1000, 1000, 1000])
        }
        await origin.stop()
    }

    @Test func `a proxy that is not there is not the host that is not`() async throws {
        let transport = try transport { $0.proxies = .all(try Proxy("127.0.0.1:1")) }
        let error = await transport.error(of: request("http", "origin.test", 80))
        #expect(error == TransportError(.cannotConnect, "The proxy could not be reached.", code: 7))
        let nameless = try self.transport { $0.proxies = .all(try Proxy("proxy.invalid")) }
        #expect(
            await nameless.error(of: request("http", "origin.test", 80))?.reason == .cannotFindHost)
    }

    @Test func `an app's field for proxies reaches no host`() async throws {
        let origin = try await origin()
        let request = request(
            "http", "127.0.0.1", origin.baseURL.port, "/a", [.proxyAuthorization: "Basic x"])
        #expect(try await text(of: CurlTransport(), request) == #"{"proxy": false}"#)
        await origin.stop()
    }

    // MARK: - Addresses and sockets

    @Test func `a name has the addresses that are set for it`() async throws {
        let origin = try await TLSServer(.echo, certificate: .otherHost)
        defer { origin.stop() }
        let authority = try origin.file("authority.pem")
        let transport = transport {
            $0.addresses = ["elsewhere.test": ["127.0.0.1"]]
            $0.tls["*.test"] = TLSSettings(authorities: .only(authority))
        }
        let request = request("https", "elsewhere.test", origin.baseURL.port)
        #expect(try await text(of: transport, request) == "1 /a")
        // The certificate is for none but that name.
        let other = self.transport {
            $0.addresses = ["other.test": ["127.0.0.1"]]
            $0.tls["other.test"] = TLSSettings(authorities: .only(authority))
        }
        let error = await other.error(of: self.request("https", "other.test", origin.baseURL.port))
        #expect(error?.message == "The server's certificate is for another host.")
    }

    @Test func `a host may listen on a unix socket`() async throws {
        let server = try await ProxyServer(.unix)
        defer { server.stop() }
        let transport = transport { $0.unixSockets["docker"] = server.path }
        for path in ["/a", "/b", "/c"] {
            #expect(try await text(of: transport, request("http", "docker", 80, path)) == path)
        }
        let missing = self.transport { $0.unixSockets["docker"] = server.path + "x" }
        let error = await missing.error(of: request("http", "docker", 80))
        #expect(error?.reason == .cannotConnect)
    }

    /// One request after the other has one handle.
    @Test func `a handle that is used again takes no settings along to another host`() async throws
    {
        let (origin, proxy) = (try await origin(), try await ProxyServer(.http))
        defer { proxy.stop() }
        let server = try await ProxyServer(.unix)
        defer { server.stop() }
        let transport = try transport {
            $0.unixSockets["docker"] = server.path
            $0.proxies = .all(try Proxy("127.0.0.1:\(proxy.port)"), except: ["127.0.0.0/8"])
        }
        enum Way { case direct, proxy, socket }
        let ways: [Way] = [
            .direct, .direct, .proxy, .proxy, .socket, .socket, .direct, .socket, .proxy, .direct,
            .proxy, .socket, .direct,
        ]
        var forwarded = 0
        for way in ways {
            if way == .proxy { forwarded += 1 }
            let host =
                switch way {
                case .direct: "127.0.0.1"
                case .proxy: "origin.test"
                case .socket: "docker"
                }
            let text = try await text(
                of: transport, request("http", host, way == .socket ? 80 : origin.baseURL.port))
            #expect(text == (way == .socket ? "/a" : #"{"proxy": false}"#), "\(way)")
            #expect(proxy.lines.count == forwarded, "\(way)")
        }
        await origin.stop()
    }

    /// A transport that knows a unix socket's host to speak HTTP/2.
    private func knowing(_ relay: ProxyServer) -> CurlTransport {
        transport {
            $0.unixSockets["backend"] = relay.path
            $0.httpVersionsOfHosts["backend"] = .priorKnowledge
        }
    }

    /// The ends of connections to one socket don't tell which is which.
    @Test func `requests over HTTP-2 to a unix socket have a connection each`() async throws {
        let origin = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true { try peer.answer(try peer.request()) }
        }
        defer { origin.stop() }
        let relay = try await ProxyServer(.relay, to: origin.port)
        defer { relay.stop() }
        let transport = knowing(relay)
        let request = request("http", "backend", 80)
        for _ in 0..<2 { #expect(try await text(of: transport, request) == "[]") }
        #expect(origin.connectionCount == 2)
        let responses = try await transport.responses(
            toAll: Array(repeating: request, count: 8))
        #expect(responses.allSatisfy { $0.body == Data("[]".utf8) })
        #expect(origin.connectionCount == 10)
    }

    @Test(arguments: [1, Int.max])
    func `what is not looked at behind a unix socket is sent again once`(
        _ times: Int
    ) async throws {
        let requests = Seen<UInt32>()
        let origin = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.request()
                if requests.add(stream) < times {
                    try peer.send(HTTP2Frame.reset(7, stream: stream))
                } else {
                    try peer.answer(stream)
                }
            }
        }
        defer { origin.stop() }
        let relay = try await ProxyServer(.relay, to: origin.port)
        defer { relay.stop() }
        let transport = knowing(relay)
        var request = request("http", "backend", 80)
        request.head.method = .post
        let error = await transport.error(of: request)
        #expect(error?.reason == (times == 1 ? nil : .connectionLost))
        #expect(requests.count == 2)
    }

    @Test func `requests over TLS to a unix socket don't wait for each other`() async throws {
        let origin = try await TLSServer(.eightAtOnce)
        defer { origin.stop() }
        let relay = try await ProxyServer(.relay, to: origin.baseURL.port ?? 0)
        defer { relay.stop() }
        var configuration = origin.configuration
        configuration.unixSockets["127.0.0.1"] = relay.path
        let transport = CurlTransport(configuration: configuration)
        let request = TransportRequest.secure(origin.baseURL)
        let responses = try await transport.responses(
            toAll: Array(repeating: request, count: 8))
        #expect(responses.allSatisfy { $0.head.status == .ok })
        #expect(relay.lines.count == 8)
    }

    @Test func `connections go out from the address that is set`() async throws {
        let origin = try await origin()
        let request = request("http", "127.0.0.1", origin.baseURL.port)
        for local in ["127.0.0.1", "lo"] {
            let transport = transport { $0.localAddress = local }
            #expect(try await text(of: transport, request) == #"{"proxy": false}"#)
        }
        for local in ["192.0.2.1", "no-such-interface"] {
            let transport = transport { $0.localAddress = local }
            #expect(await transport.error(of: request)?.reason == .cannotConnect)
        }
        await origin.stop()
    }

    @Test func `nothing is sent where a setting's host is none`() async throws {
        let origin = try await origin()
        let transport = transport { $0.tls["https://127.0.0.1"] = TLSSettings() }
        let error = await transport.error(of: request("http", "127.0.0.1", origin.baseURL.port))
        #expect(error?.reason == .invalidRequest)
        await origin.stop()
    }

    // MARK: - Keys and certificates

    @Test func `one of the keys that are pinned has to be the host's`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let pin = try PublicKeyPin(
            String(decoding: server.file("pin"), as: UTF8.self).trimmingCharacters(in: .newlines))
        let next = try PublicKeyPin(Data(repeating: 7, count: 32).base64EncodedString())
        for pins in [[pin], [next, pin]] {
            var configuration = server.configuration
            configuration.tls["127.0.0.1"]?.pins = pins
            let transport = CurlTransport(configuration: configuration)
            #expect(try await text(of: transport, .secure(server.baseURL, "/a")).hasSuffix(" /a"))
        }
        var configuration = server.configuration
        configuration.tls["127.0.0.1"]?.pins = [next]
        let error = await CurlTransport(configuration: configuration).error(
            of: .secure(server.baseURL))
        #expect(
            error
                == TransportError(
                    .secureConnectionFailed,
                    "The server's public key is none of those that are pinned.", code: 90))
        // A pin vouches for nothing: the certificate has to be trusted as well.
        configuration.tls["127.0.0.1"] = TLSSettings(pins: [pin])
        let untrusted = await CurlTransport(configuration: configuration).error(
            of: .secure(server.baseURL))
        #expect(untrusted?.message == "The server's certificate is not trusted.")
    }

    @Test func `authorities are added to those of the system`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let authority = try server.file("authority.pem")
        let transport = transport {
            $0.tls["127.0.0.1"] = TLSSettings(authorities: .systemAnd(authority))
        }
        #expect(try await text(of: transport, .secure(server.baseURL, "/a")) == "1 /a")
        for text in ["", "no certificate"] {
            let transport = self.transport {
                $0.tls["127.0.0.1"] = TLSSettings(authorities: .only(Data(text.utf8)))
            }
            let error = await transport.error(of: .secure(server.baseURL))
            #expect(error?.reason == .secureConnectionFailed)
        }
    }
}
#endif
