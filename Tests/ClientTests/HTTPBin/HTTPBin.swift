import Foundation
import LarderTesting

/// httpbin on 127.0.0.1: a process that is started once for all tests, and ends with theirs.
///
/// It is whatever `Scripts/httpbin` has put into `.build/httpbin`, under a server of Python's with a thread for
/// each connection.
final class HTTPBin: Sendable {
    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static let launcher = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".build/httpbin/python3")

    /// Whether it has been installed.
    static let isPossible = FileManager.default.isExecutableFile(
        atPath: launcher.path(percentEncoded: false))

    private static let started = Task { try await HTTPBin() }

    /// The one for all tests, once it listens.
    static var shared: HTTPBin {
        get async throws { try await started.value }
    }

    let baseURL: URL
    /// The same on another port, and so of another origin.
    let otherURL: URL
    /// What the program tells its ports; it ends with the connection, however that ends.
    private let control: RawServer

    private init() async throws {
        let isReady = Gate()
        let ports = Seen<Int>()
        let control = try RawServer { connection in
            defer { isReady.open() }
            let words = try connection.readRequest().split(whereSeparator: \.isWhitespace)
            for port in words.compactMap({ Int($0) }) { ports.note(port) }
            isReady.open()
            connection.waitForClose()
        }
        self.control = control
        let process = Process()
        process.executableURL = Self.launcher
        process.arguments = ["-c", Self.program, "\(control.port)"]
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { _ in isReady.open() }
        try process.run()
        try await isReady.wait()
        let urls = ports.values.compactMap { URL(string: "http://127.0.0.1:\($0)/") }
        guard urls.count == 2 else {
            throw Failed(description: "httpbin has not started; Scripts/httpbin installs it anew.")
        }
        (baseURL, otherURL) = (urls[0], urls[1])
    }

    /// httpbin says what is in a form's files, but not how they are called; `X-Files` says that.
    ///
    /// Content is read before httpbin is asked, which does not look at all of it, and a connection that
    /// is closed with something unread in it may take the response along.
    private static let program = #"""
        import io, json, logging, os, socket, sys, threading

        logging.disable(logging.CRITICAL)
        from flask import request
        from httpbin import app
        from werkzeug.serving import make_server

        @app.after_request
        def tell_files(response):
            files = [
                [name, file.filename, file.content_type]
                for name, file in request.files.items(multi=True)]
            if files:
                response.headers["X-Files"] = json.dumps(files)
            return response

        def read_first(environ, start_response):
            count = int(environ.get("CONTENT_LENGTH") or 0)
            environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(count))
            return app(environ, start_response)

        servers = [make_server("127.0.0.1", 0, read_first, threaded=True) for _ in range(2)]
        for server in servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as tests:
            tests.sendall(b"%d %d\r\n\r\n" % tuple(server.port for server in servers))
            tests.recv(1)
        os._exit(0)
        """#
}
