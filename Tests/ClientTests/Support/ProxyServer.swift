#if !canImport(Darwin)
import Foundation
import LarderTesting
import TestProgram

/// A proxy on 127.0.0.1, or a server on a unix socket: a Python program, which ends with the process of the test.
final class ProxyServer: Sendable {
    /// What it does with connections.
    enum Behaviour: String, Sendable {
        /// Forwards requests and makes tunnels.
        case http
        /// The same for those who know `ann` and `se:cret`.
        case guarded
        /// Refuses tunnels.
        case refusing
        /// Hangs up on each other connection before it answers.
        case abrupt
        /// Passes on at once what has come through a tunnel within a moment.
        case gathering
        /// Makes tunnels by SOCKS5, also for those who know `ann` and `se:cret`.
        case socks
        /// Answers requests with their target, over a unix socket.
        case unix
        /// Passes on what comes over a unix socket to a server on a port.
        case relay
    }

    private struct Failed: Error {}

    private static let python = TestProgram(onPathAs: "python3")
    static let isPossible = python != nil

    /// The port, or 0.
    let port: Int
    /// The path of the unix socket.
    let path: String
    /// The first lines of requests and the targets of tunnels, and fields of requests that name it.
    private let heard = Heard()
    private let folder: URL
    private let control: RawServer

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - server: The port of the server behind a relay.
    ///   - certificate: The path of the certificate, beside a `server.key`, of one that is spoken to over https.
    init(
        _ behaviour: Behaviour, to server: Int = 0, certificate: String = ""
    ) async throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "lp-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "s").path(percentEncoded: false)
        let (isReady, ports, heard) = (Gate(), Seen<Int>(), heard)
        control = try RawServer { connection in
            defer { isReady.open() }
            // A head is whatever ends in an empty line.
            if let port = Int(try connection.readRequest().dropLast(2)) { ports.note(port) }
            isReady.open()
            while let line = try? connection.readRequest(), !line.isEmpty {
                heard.note(String(line.dropLast(2)))
                try connection.send("+")
            }
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", Self.program, behaviour.rawValue, path, "\(control.port)", certificate,
            "\(server)",
        ]
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { _ in isReady.open() }
        try process.run()
        try await isReady.wait()
        guard let port = ports.values.first else { throw Failed() }
        self.port = port
    }

    /// What it has heard so far.
    var lines: [String] { heard.values }

    func stop() {
        control.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static let program = #"""
        import base64, os, socket, ssl, sys, threading, time

        behaviour, path, control, certificate, port_behind = sys.argv[1:]
        context = None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            key = os.path.join(os.path.dirname(certificate), "server.key")
            context.load_cert_chain(certificate, key)
        secret = b"basic " + base64.b64encode(b"ann:se:cret").lower()
        lock = threading.Lock()
        behind = set()
        tunnels = 0
        test = socket.create_connection(("127.0.0.1", int(control)))

        def tell(line):
            with lock:
                test.sendall(line.encode() + b"\r\n\r\n")
                test.recv(1)

        def relay(source, sink):
            try:
                while data := source.recv(65536):
                    if behaviour == "gathering" and source.getpeername()[1] in behind:
                        time.sleep(0.01)
                        try:
                            data += source.recv(65536, socket.MSG_DONTWAIT)
                        except BlockingIOError:
                            pass
                    sink.sendall(data)
            except OSError:
                pass
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        def join(client, server):
            threading.Thread(target=relay, args=(server, client), daemon=True).start()
            relay(client, server)

        def answer(client, status, content=b"", fields=b""):
            client.sendall(b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s"
                % (status, fields, len(content), content))

        def serve_http(client):
            file = client.makefile("rb", 0)
            while line := file.readline():
                method, target, _ = line.split(b" ", 2)
                fields = []
                while (field := file.readline()) not in (b"\r\n", b""):
                    fields.append(field)
                given = [f for f in fields if f.lower().startswith(b"proxy-authorization:")]
                names = [f for f in fields if f.lower().startswith(b"authorization:")]
                tell(line.decode().strip() + "".join(
                    " | " + f.decode().strip().split(":")[0].lower() for f in given + names))
                if behaviour == "unix":
                    answer(client, b"200 OK", target)
                    continue
                if behaviour == "guarded" and not any(secret in f.lower() for f in given):
                    answer(client, b"407 Who", b"", b"Proxy-Authenticate: Basic realm=x\r\n")
                    continue
                if method == b"CONNECT" and behaviour == "refusing":
                    answer(client, b"403 No", b"no")
                    return
                if method == b"CONNECT" and behaviour == "abrupt":
                    global tunnels
                    tunnels += 1
                    if tunnels % 2:
                        return
                if method == b"CONNECT":
                    host, port = target.decode().rsplit(":", 1)
                    server = socket.create_connection(
                        ("127.0.0.1" if host.endswith(".test") else host, int(port)))
                    behind.add(int(port))
                    # Fields that are nobody's business behind the tunnel.
                    client.sendall(b"HTTP/1.1 200 Go\r\nX-Proxy: here\r\n\r\n")
                    return join(client, server)
                host = target.decode().split("/")[2]
                rest = "/" + target.decode().split("/", 3)[3]
                name, port = host.rsplit(":", 1)
                server = socket.create_connection(
                    ("127.0.0.1" if name.endswith(".test") else name, int(port)))
                server.sendall(method + b" " + rest.encode() + b" HTTP/1.1\r\n"
                    + b"".join(f for f in fields if not f.lower().startswith(b"proxy-"))
                    + b"Connection: close\r\n\r\n")
                while data := server.recv(65536):
                    client.sendall(data)
                return

        def exactly(client, count):
            data = b""
            while len(data) < count:
                part = client.recv(count - len(data))
                if not part:
                    raise OSError()
                data += part
            return data

        def serve_socks(client):
            _, count = exactly(client, 2)
            methods = exactly(client, count)
            if 2 in methods:
                client.sendall(b"\5\2")
                exactly(client, 1)
                name = exactly(client, exactly(client, 1)[0])
                password = exactly(client, exactly(client, 1)[0])
                is_known = (name, password) == (b"ann", b"se:cret")
                client.sendall(b"\1\0" if is_known else b"\1\1")
                if not is_known:
                    return tell("refused")
            else:
                client.sendall(b"\5\0")
            _, _, _, kind = exactly(client, 4)
            if kind == 1:
                host = socket.inet_ntoa(exactly(client, 4))
            else:
                host = exactly(client, exactly(client, 1)[0]).decode()
            port = int.from_bytes(exactly(client, 2), "big")
            tell("%s:%d" % (host, port))
            server = socket.create_connection(
                ("127.0.0.1" if host.endswith(".test") else host, port))
            client.sendall(b"\5\0\0\1\0\0\0\0\0\0")
            join(client, server)

        def serve(client):
            try:
                if context:
                    client = context.wrap_socket(client, server_side=True)
                with client:
                    if behaviour == "relay":
                        tell("connection")
                        join(client, socket.create_connection(("127.0.0.1", int(port_behind))))
                    else:
                        serve_socks(client) if behaviour == "socks" else serve_http(client)
            except (OSError, ValueError):
                pass

        if behaviour in ("unix", "relay"):
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            listener.listen(64)
            port = 0
        else:
            listener = socket.create_server(("127.0.0.1", 0), backlog=64)
            port = listener.getsockname()[1]

        def accept():
            while True:
                client, _ = listener.accept()
                threading.Thread(target=serve, args=(client,), daemon=True).start()

        test.sendall(b"%d\r\n\r\n" % port)
        threading.Thread(target=accept, daemon=True).start()

        def watch():
            while True:
                try:
                    if not test.recv(1, socket.MSG_PEEK):
                        os._exit(0)
                except OSError:
                    os._exit(0)
                threading.Event().wait(0.05)

        watch()
        """#
}
#endif
