import FlyingSocks
public import Foundation
import LarderPromises

/// A server on 127.0.0.1 that sends whatever bytes a test wants, well formed or not.
///
/// ```swift
/// let server = try RawServer { connection in
///     _ = try connection.readRequest()
///     try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
/// }
/// ```
///
/// The closure runs on a thread of its own for each connection, which is closed when the closure
/// returns or throws. Reading and sending fail once the server is stopped.
public final class RawServer: Sendable {
    /// The server's URL, which ends in a slash.
    public let baseURL: URL

    /// The port it listens on.
    public let port: Int

    private struct State {
        var isStopped = false
        var accepted = 0
        var open: [Int: Connection] = [:]
    }

    private let state = Guarded(State())
    private let listener: Socket
    private let serve: @Sendable (Connection) throws -> Void

    /// Starts a server that treats each connection as `serve` says.
    public init(_ serve: @escaping @Sendable (Connection) throws -> Void) throws {
        // A client that hangs up must not end the process on systems that signal it.
        signal(SIGPIPE, SIG_IGN)
        listener = try Socket(domain: AF_INET)
        try listener.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
        try listener.listen()
        guard case .ip4(_, let port) = try listener.sockname(),
            let baseURL = URL(string: "http://127.0.0.1:\(port)/")
        else { throw SocketError.unsupportedAddress }
        self.port = Int(port)
        self.baseURL = baseURL
        self.serve = serve
        Thread.detachNewThread { [weak self, listener] in
            Self.acceptConnections(on: listener) { [weak self] in self }
        }
    }

    deinit {
        stop()
    }

    /// Starts a server that reads one request on each connection, sends `bytes` and closes.
    public convenience init(sending bytes: String) throws {
        try self.init(sending: Array(bytes.utf8))
    }

    /// Starts a server that reads one request on each connection, sends `bytes` and closes.
    public convenience init(sending bytes: [UInt8]) throws {
        try self.init { connection in
            _ = try connection.readRequest()
            try connection.send(bytes)
        }
    }

    /// The number of connections accepted so far.
    public var connectionCount: Int { state.withLock(\.accepted) }

    /// Closes the port and every connection; without effect on a stopped server.
    public func stop() {
        let open = state.withLock { state -> [Connection]? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return Array(state.open.values)
        }
        guard let open else { return }
        for connection in open { connection.shutDown() }
        // Wakes the thread that waits in `accept`, which then sees that the server has stopped.
        guard let address = try? sockaddr_in.inet(ip4: "127.0.0.1", port: UInt16(port)),
            let waker = try? Socket(domain: AF_INET)
        else { return }
        try? waker.connect(to: address)
        try? waker.close()
    }

    private static func acceptConnections(
        on listener: Socket, for server: @escaping @Sendable () -> RawServer?
    ) {
        defer { try? listener.close() }
        while let file = try? listener.accept().file {
            let connection = Connection(Socket(file: file))
            guard let server = server(), server.admit(connection) else {
                connection.close()
                return
            }
        }
    }

    /// Serves a connection on a thread of its own; false once the server has stopped.
    private func admit(_ connection: Connection) -> Bool {
        let id = state.withLock { state -> Int? in
            guard !state.isStopped else { return nil }
            state.accepted += 1
            state.open[state.accepted] = connection
            return state.accepted
        }
        guard let id else { return false }
        let serve = serve
        Thread.detachNewThread { [weak self] in
            try? serve(connection)
            _ = self?.state.withLock { $0.open.removeValue(forKey: id) }
            connection.close()
        }
        return true
    }
}
