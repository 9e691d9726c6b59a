#if !canImport(Darwin)
import Foundation
import LarderTesting
import TestProgram

@testable import LarderClient

/// A server on 127.0.0.1 that speaks TLS: a Python program, with certificates that openssl makes.
///
/// It ends when it is stopped, and with the process of the test.
final class TLSServer: Sendable {
    /// The certificate that it shows.
    enum Certificate: String, Sendable {
        case good, expired, selfSigned, otherHost
    }

    /// How it answers.
    enum Behaviour: String, Sendable {
        /// With the number of the connection and the path.
        case echo
        /// With the path, and with what nobody asked for in the record of the content.
        case unaskedBehindLength, unaskedBehindChunks
        /// With the path and a byte that its length doesn't count, in a record of their own.
        case long
        /// Once a request's head is there, over HTTP/2 if it may be; with the version as content, where
        /// there is any.
        case earlyWithoutContent, earlyWithLength, earlyWithoutLength
        /// With the path, over HTTP/2 if it may be.
        ///
        /// `/held`, over HTTP/1.1, waits until five requests have been answered over HTTP/2, and says
        /// `pipelined` where another request has come over its connection meanwhile. `/0`, over HTTP/2,
        /// waits for it to have come. Paths over HTTP/2 are of digits and slashes.
        case paths
        /// As `paths`, but over HTTP/2 a connection answers one request, `/0` never: at the next, the
        /// server says that it has not looked at that, and ends the connection.
        case goingAway
        /// With the number of the connection, over HTTP/2.
        case numbers
        /// Over HTTP/1.1, once eight requests have come, each over a connection that is closed then.
        case eightAtOnce
        /// With the number of the connection and the path, as an event, and then closes the connection; ends every
        /// second one before the handshake.
        case restarting
        /// Over TLS 1.1 only.
        case old
        /// As `echo`, to clients whose certificate the authority has signed and not revoked; the second one says
        /// before the end of the handshake that it does not take one, by TLS 1.2.
        case mutual, mutualBefore
    }

    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static let python = TestProgram(onPathAs: "python3")

    /// Whether there is all that it takes.
    static let isPossible = python != nil && TestProgram(onPathAs: "openssl") != nil

    let baseURL: URL

    /// How a transport connects that trusts the certificates' authority.
    let configuration: CurlTransport.Configuration

    private let folder: URL
    /// What the program tells its port; it ends with the connection.
    private let control: RawServer

    /// Starts a server.
    init(_ behaviour: Behaviour, certificate: Certificate = .good) async throws {
        let folder = try await TestCertificates.made()
        self.folder = folder
        let isReady = Gate()
        let ports = Seen<Int>()
        let control = try RawServer { connection in
            defer { isReady.open() }
            if let port = Int(try connection.readRequest().dropLast(2)) { ports.note(port) }
            isReady.open()
            connection.waitForClose()
        }
        self.control = control
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", "-c", Self.program, behaviour.rawValue]
            + ["\(certificate).pem", "server.key"]
            .map { folder.appending(path: $0).path(percentEncoded: false) } + ["\(control.port)"]
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { _ in isReady.open() }
        try process.run()
        try await isReady.wait()
        guard let port = ports.values.first, let url = URL(string: "https://127.0.0.1:\(port)/")
        else { throw Failed(description: "The server has not started.") }
        baseURL = url
        var configuration = CurlTransport.Configuration()
        configuration.tls["127.0.0.1"] = TLSSettings(
            authorities: .only(try Data(contentsOf: folder.appending(path: "authority.pem"))))
        self.configuration = configuration
    }

    /// A file of ``TestCertificates``.
    func file(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(of: name)))
    }

    func path(of name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    func stop() {
        control.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static let program = #"""
        import os, select, socket, ssl, sys, threading

        behaviour, certificate, key, control = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if behaviour.startswith("early") or behaviour in ("paths", "goingAway", "numbers"):
            context.set_alpn_protocols(["h2", "http/1.1"])
        if behaviour.startswith("mutual"):
            if behaviour == "mutualBefore":
                context.maximum_version = ssl.TLSVersion.TLSv1_2
            folder = os.path.dirname(certificate)
            context.verify_mode = ssl.CERT_REQUIRED
            context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
            context.load_verify_locations(os.path.join(folder, "authority.pem"))
            context.load_verify_locations(os.path.join(folder, "revoked.crl"))
        if behaviour == "old":
            context.set_ciphers("DEFAULT@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        unasked = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale"

        def paths(file):
            while line := file.readline():
                length = 0
                while field := file.readline().strip().lower():
                    if field.startswith(b"content-length:"):
                        length = int(field[15:])
                path = line.split(b" ")[1]
                if behaviour == "paths":
                    file.read(length)
                    yield path
                else:
                    yield path
                    file.read(length)

        eight = threading.Barrier(8)
        is_held = threading.Event()
        turns = threading.Semaphore(0)

        def hold(stream):
            is_held.set()
            for _ in range(5):
                while not turns.acquire(blocking=False):
                    if stream.pending() or select.select([stream], [], [], 0.01)[0]:
                        return b"pipelined"
            return b"/held"

        def serve_lines(stream, number):
            for path in paths(stream.makefile("rb")):
                if path == b"/held":
                    path = hold(stream)
                if behaviour == "unaskedBehindLength":
                    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(path))
                    stream.sendall(path + unasked)
                elif behaviour == "long":
                    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(path))
                    stream.sendall(path + b"\xc3")
                elif behaviour == "unaskedBehindChunks":
                    stream.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                    stream.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(path), path) + unasked)
                elif behaviour == "earlyWithoutContent":
                    stream.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                elif behaviour == "restarting":
                    body = b"data: %d %s\n\n" % (number, path)
                    stream.sendall(
                        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                        b"Connection: close\r\nContent-Length: %d\r\n\r\n%s"
                        % (len(body), body))
                    return
                elif behaviour == "eightAtOnce":
                    eight.wait()
                    stream.sendall(
                        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    return
                else:
                    body = b"%d %s" % (number, path)
                    if behaviour.startswith("early"):
                        body = b"1"
                    elif behaviour == "paths":
                        body = path
                    stream.sendall(
                        b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

        def frame(kind, flags, stream, content=b""):
            return (len(content).to_bytes(3, "big") + bytes([kind, flags])
                + stream.to_bytes(4, "big") + content)

        # RFC 7541, without a dynamic table and with the Huffman codes of digits and slashes only.
        def path_in(block):
            at = 0

            def number(most):
                nonlocal at
                value = block[at] & most
                at += 1
                if value == most:
                    scale = 1
                    while True:
                        byte = block[at]
                        at += 1
                        value += (byte & 127) * scale
                        scale *= 128
                        if byte < 128:
                            break
                return value

            def text():
                nonlocal at
                is_coded = block[at] > 127
                count = number(127)
                at += count
                return plain(block[at - count:at]) if is_coded else block[at - count:at]

            while at < len(block):
                first = block[at]
                if first > 127:
                    name = number(127)
                    if name == 4:
                        return b"/"
                elif 32 <= first < 64:
                    number(31)
                else:
                    name = number(63 if first > 63 else 15)
                    if name == 0:
                        text()
                    value = text()
                    if name == 4:
                        return value
            return b""

        def plain(code):
            bits = bin(int.from_bytes(b"\1" + code, "big"))[3:]
            text = b""
            while "0" in bits:
                count = 5 if bits.startswith("00") else 6
                number = int(bits[:count], 2)
                text += b"012"[number:][:1] if count == 5 else b"/3456789"[number & 7:][:1]
                bits = bits[count:]
            return text

        def serve_frames(stream, number_of_connection):
            file = stream.makefile("rb")
            file.read(24)
            # The header table has no room.
            stream.sendall(frame(4, 0, 0, b"\0\1\0\0\0\0"))
            while head := file.read(9):
                block = file.read(int.from_bytes(head[:3], "big"))
                kind, flags, number = head[3], head[4], int.from_bytes(head[5:], "big")
                if kind == 4 and not flags & 1:
                    stream.sendall(frame(4, 1, 0))
                if kind != 1:
                    continue
                if behaviour == "goingAway" and number > 1:
                    stream.sendall(frame(7, 0, 0, b"\0\0\0\1\0\0\0\0"))
                    return
                if behaviour in ("paths", "goingAway"):
                    path = path_in(block[5:] if flags & 32 else block)
                    if behaviour == "goingAway" and path == b"/0":
                        continue
                    if path == b"/0":
                        is_held.wait()
                    stream.sendall(
                        frame(1, 4, number, b"\x88") + frame(0, 1, number, path))
                    turns.release()
                    continue
                if behaviour == "numbers":
                    stream.sendall(
                        frame(1, 4, number, b"\x88")
                        + frame(0, 1, number, b"%d" % number_of_connection))
                    continue
                if behaviour == "earlyWithoutContent":
                    stream.sendall(frame(1, 5, number, b"\x89"))
                    continue
                length = b"\x0f\x0d\x011" if behaviour == "earlyWithLength" else b""
                stream.sendall(
                    frame(1, 4, number, b"\x88" + length) + frame(0, 1, number, b"2"))

        def serve(connection, number):
            try:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with context.wrap_socket(connection, server_side=True) as stream:
                    if stream.selected_alpn_protocol() == "h2":
                        serve_frames(stream, number)
                    else:
                        serve_lines(stream, number)
            except OSError:
                pass

        def accept(listener):
            number = 0
            while True:
                connection, _ = listener.accept()
                number += 1
                if behaviour == "restarting" and number % 2 == 0:
                    connection.close()
                    continue
                threading.Thread(target=serve, args=(connection, number), daemon=True).start()

        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        with socket.create_connection(("127.0.0.1", int(control))) as test:
            test.sendall(b"%d\r\n\r\n" % listener.getsockname()[1])
            test.recv(1)
        os._exit(0)
        """#
}
#endif
