import CRequestBaseline
import Foundation

/// An nginx of the benchmark's own on loopback, which serves 1,024 bytes at `/1k`, and other files.
package final class NginxServer {
    package let port = Int.random(in: 20_000..<30_000)
    /// The port of the same over TLS and HTTP/2, where that is wanted and there is an openssl.
    package let securePort: Int?
    private let folder: URL
    private let process = Process()

    package var url: String { "http://127.0.0.1:\(port)/1k" }

    /// The place of the certificate that it shows over TLS, which nobody but itself vouches for.
    package var certificate: String { folder.appending(path: "server.pem").path() }

    /// Starts nginx; nil where it is not installed.
    ///
    /// - Parameters:
    ///   - files: The files that it serves beside, by their paths.
    ///   - largeSize: The size of what it serves at `/large`, nothing but zeros.
    ///   - isSecure: Whether it also speaks HTTP/2 over TLS.
    package init?(
        files: [String: String] = [:], largeSize: UInt64 = 0, isSecure: Bool = false
    ) throws {
        let paths = ["/usr/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "larder-nginx-\(port)")
        let root = folder.appending(path: "www")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data(repeating: 120, count: 1024).write(to: root.appending(path: "1k"))
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        if largeSize > 0 {
            let large = root.appending(path: "large")
            try Data().write(to: large)
            // Takes no room on the disk.
            try FileHandle(forWritingTo: large).truncate(atOffset: largeSize)
        }
        let canBeSecure = isSecure && Self.makeCertificate(in: folder.path())
        securePort = canBeSecure ? Int.random(in: 30_000..<32_000) : nil
        let configuration = folder.appending(path: "nginx.conf")
        try Self.configuration(port: port, securePort: securePort, folder: folder.path())
            .write(to: configuration, atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c", configuration.path(), "-e", folder.path() + "/error.log"]
        try process.run()
        try waitUntilReady()
    }

    package func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private func waitUntilReady() throws {
        for _ in 0..<200 {
            if larder_baseline_fetch(url, 1, 1) > 0 { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        stop()
        throw CocoaError(.fileReadUnknown)
    }

    /// Has openssl make a certificate; false where it can't.
    private static func makeCertificate(in folder: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-days", "2"]
            + ["-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=127.0.0.1"]
            + ["-addext", "subjectAltName=IP:127.0.0.1"]
            + ["-keyout", folder + "/server.key", "-out", folder + "/server.pem"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func configuration(port: Int, securePort: Int?, folder: String) -> String {
        let secure =
            securePort.map {
                """
                server {
                    listen 127.0.0.1:\($0) ssl http2; root \(folder)/www;
                    ssl_certificate \(folder)/server.pem; ssl_certificate_key \(folder)/server.key;
                    http2_max_concurrent_streams 256;
                }
                """
            } ?? ""
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        return """
            daemon off;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            events { worker_connections 1024; }
            http {
                access_log off;
                keepalive_requests 1000000000;
                sendfile on;
                open_file_cache max=2000;
                default_type application/json;
                \(temporary)
                server { listen 127.0.0.1:\(port); root \(folder)/www; }
                \(secure)
            }
            """
    }
}
