#if !canImport(Darwin)
import CLarderCurl
import Foundation
import Testing

@testable import LarderClient

@Suite struct CurlConnectionsTests {
    @Test func `connections to different hosts may have the same local port`() throws {
        let listeners = try (0..<2).map { _ in try Self.listener() }
        defer { for listener in listeners { close(listener.descriptor) } }
        let local = try Self.socket()
        let other = try Self.socket()
        defer { for descriptor in [local, other] { close(descriptor) } }
        try Self.bind(local, to: 0)
        let port = try Self.port(of: local)
        try Self.bind(other, to: port)
        try Self.connect(local, to: listeners[0].port)
        try Self.connect(other, to: listeners[1].port)
        let ends = listeners.map {
            CurlConnections.Ends(localPort: CInt(port), host: "127.0.0.1", port: CInt($0.port))
        }
        #expect(ends[0].areThose(of: local) && ends[1].areThose(of: other))
        #expect(!ends[0].areThose(of: other) && !ends[1].areThose(of: local))
        #expect(!ends[0].areThose(of: listeners[0].descriptor) && !ends[0].areThose(of: -1))
        var elsewhere = ends[0]
        elsewhere.host = "127.0.0.2"
        #expect(!elsewhere.areThose(of: local))
    }

    @Test func `what has come unasked is noticed, unless the connection has been closed`() throws {
        let easy = try #require(curl_easy_init())
        defer { curl_easy_cleanup(easy) }
        let connections = CurlConnections()
        let listener = try Self.listener()
        defer { close(listener.descriptor) }
        func kept() throws -> (ends: CurlConnections.Ends, local: CInt) {
            let local = try Self.socket()
            try Self.connect(local, to: listener.port)
            let ends = CurlConnections.Ends(
                localPort: CInt(try Self.port(of: local)), host: "127.0.0.1",
                port: CInt(listener.port))
            connections.note(local, between: ends)
            #expect(connections.isAtRest(ends, of: easy))
            let peer = accept(listener.descriptor, nil, nil)
            defer { close(peer) }
            guard send(peer, "x", 1, 0) == 1 else { throw Failed() }
            var waited = pollfd(fd: local, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, 60_000) == 1 else { throw Failed() }
            return (ends, local)
        }
        let first = try kept()
        #expect(!connections.isAtRest(first.ends, of: easy))
        #expect(connections.isAtRest(first.ends, of: easy))
        #expect(connections.close(first.local) == 0)
        let second = try kept()
        #expect(connections.close(second.local) == 0)
        #expect(connections.isAtRest(second.ends, of: easy))
        #expect(connections.close(second.local) == -1)
    }

    private struct Failed: Error {
        let number = errno
    }

    private static func socket() throws -> CInt {
        let descriptor = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var isOn: CInt = 1
        guard descriptor >= 0,
            setsockopt(
                descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
                == 0
        else { throw Failed() }
        return descriptor
    }

    private static func listener() throws -> (descriptor: CInt, port: UInt16) {
        let descriptor = try socket()
        try bind(descriptor, to: 0)
        guard listen(descriptor, 1) == 0 else { throw Failed() }
        return (descriptor, try port(of: descriptor))
    }

    private static func bind(_ descriptor: CInt, to port: UInt16) throws {
        try withAddress(port) { guard Glibc.bind(descriptor, $0, $1) == 0 else { throw Failed() } }
    }

    private static func connect(_ descriptor: CInt, to port: UInt16) throws {
        try withAddress(port) {
            guard Glibc.connect(descriptor, $0, $1) == 0 else { throw Failed() }
        }
    }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func port(of descriptor: CInt) throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard status == 0 else { throw Failed() }
        return UInt16(bigEndian: address.sin_port)
    }
}
#endif
