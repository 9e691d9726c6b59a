#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// A connection over TLS, or one of HTTP/2 by prior knowledge, with the number of requests that are under way over it.
final class CurlSharedConnection {
    let ends: CurlConnections.Ends
    /// Its socket, where it is known and open.
    fileprivate(set) var descriptor: CInt?
    /// Whether several requests may be under way at once.
    fileprivate(set) var speaksHTTP2: Bool
    /// The host, with its port, that speaks HTTP/2 without having been asked, or nil.
    fileprivate(set) var knownHost: String?
    /// The number of requests under way.
    fileprivate(set) var count = 0
    /// The number of requests that have ever gone over it.
    fileprivate(set) var joined = 0
    /// The handle whose request went out last, where only one may be under way.
    fileprivate weak var holder: CurlHandle?
    /// A number that grows with each piece of a response that comes.
    var heard = 0
    /// Whether nothing has come for as long as a request had time, so that no other is to go there.
    fileprivate(set) var isSilent = false

    fileprivate init(_ ends: CurlConnections.Ends, speaksHTTP2: Bool) {
        self.ends = ends
        self.speaksHTTP2 = speaksHTTP2
    }
}

/// The connections that several requests may go over, and those over which only one may at a time.
///
/// Once libcurl has spoken HTTP/2 with a host, it takes that host's HTTP/1.1 connections, too, for ones that carry
/// many requests, sends one behind the other and mixes up their answers (curl #4885). It asks before each sending,
/// though; a request that would go over a connection where another is under way is not sent unless both ends
/// are known to speak HTTP/2 there.
final class CurlSharedConnections {
    private var connections: [CurlConnections.Ends: CurlSharedConnection] = [:]
    private var byDescriptor: [CInt: CurlSharedConnection] = [:]
    /// The number of connections by prior knowledge that are open or being opened to hosts, with their ports.
    private var knownHosts: [String: Int] = [:]
    /// The hosts, with their ports, that were last heard to choose HTTP/1.1.
    private var hostsWithoutHTTP2: Set<String> = []

    /// Adds a request to those under way over a connection.
    ///
    /// - Parameters:
    ///   - handle: The handle that the request goes out from.
    ///   - speaksHTTP2: Whether both ends do, asked where no other is under way.
    /// - Returns: The connection, or nil where the request may not go over it.
    func join(
        _ ends: CurlConnections.Ends, from handle: CurlHandle, speaksHTTP2: () -> Bool
    ) -> CurlSharedConnection? {
        leaveIfDone(ends, before: handle)
        if let connection = connections[ends], connection.count > 0 || connection.isSilent {
            guard connection.speaksHTTP2, !connection.isSilent else { return nil }
            connection.count += 1
            connection.joined += 1
            return connection
        }
        let connection = connections[ends] ?? CurlSharedConnection(ends, speaksHTTP2: false)
        connections[ends] = connection
        connection.speaksHTTP2 = speaksHTTP2()
        connection.count = 1
        connection.joined += 1
        connection.holder = handle
        if connection.descriptor == nil,
            let descriptor = handle.sockets.last(where: ends.areThose)
        {
            connection.descriptor = descriptor
            byDescriptor[descriptor] = connection
        }
        return connection
    }

    /// Takes the request away that is the only one over a connection, where libcurl is done with it: it
    /// hands the connection on before it says so.
    private func leaveIfDone(_ ends: CurlConnections.Ends, before handle: CurlHandle) {
        guard let connection = connections[ends], connection.count > 0, !connection.speaksHTTP2,
            let holder = connection.holder,
            // None where the TLS library is one that nobody can ask.
            let session = larder_curl_tls_session(handle.easy),
            larder_curl_tls_session(holder.easy) != session
        else { return }
        holder.leaveConnection(isOver: false)
    }

    /// Takes a request away from those under way.
    ///
    /// - Parameter inSilence: Whether it had waited in vain, and nothing for others came either. libcurl goes
    ///   on using a connection of HTTP/2 then, though nothing may get through it any more (curl #17225); its
    ///   socket is shut down once nobody waits there.
    func leave(_ connection: CurlSharedConnection, inSilence: Bool) {
        connection.count -= 1
        if inSilence, connection.speaksHTTP2 {
            connection.isSilent = true
            // The next one is to open another.
            if let host = connection.knownHost.take() { endOpening(host) }
        }
        guard connection.count == 0 else { return }
        if connection.isSilent, let descriptor = connection.descriptor {
            shutdown(descriptor, CInt(SHUT_RDWR))
        }
        // Nobody would tell that it has been closed.
        if connection.descriptor == nil { remove(connection) }
    }

    /// Hears that a socket is closed.
    func forget(_ descriptor: CInt) {
        guard let connection = byDescriptor.removeValue(forKey: descriptor) else { return }
        connection.descriptor = nil
        remove(connection)
    }

    private func remove(_ connection: CurlSharedConnection) {
        guard connections[connection.ends] === connection else { return }
        connections[connection.ends] = nil
        if let host = connection.knownHost { endOpening(host) }
    }

    // MARK: - Prior knowledge

    /// Whether a connection by prior knowledge to a host is there, or about to be.
    func isKnown(_ host: String) -> Bool { knownHosts[host] != nil }

    func beginOpening(_ host: String) { knownHosts[host, default: 0] += 1 }

    func endOpening(_ host: String) {
        let count = (knownHosts[host] ?? 1) - 1
        knownHosts[host] = count > 0 ? count : nil
    }

    /// Takes down that a connection speaks HTTP/2 by prior knowledge; it is counted among those of its host.
    func note(_ connection: CurlSharedConnection, isKnownAs host: String) {
        connection.knownHost = host
    }

    /// Whether a connection is one by prior knowledge.
    func isByPriorKnowledge(_ ends: CurlConnections.Ends) -> Bool {
        connections[ends]?.knownHost != nil
    }

    // MARK: - Hosts

    /// Whether requests to a host need not wait for the connection of another.
    func isWithoutHTTP2(_ host: String) -> Bool { hostsWithoutHTTP2.contains(host) }

    func note(_ host: String, speaksHTTP2: Bool) {
        if speaksHTTP2 {
            if !hostsWithoutHTTP2.isEmpty { hostsWithoutHTTP2.remove(host) }
        } else {
            // What is forgotten costs a wait.
            if hostsWithoutHTTP2.count >= 1024 { hostsWithoutHTTP2.removeAll() }
            hostsWithoutHTTP2.insert(host)
        }
    }
}
#endif
