import CRequestBaseline
import Foundation

/// An nginx of the benchmark's own on loopback, which serves 1,024 bytes at `/1k`, and other files.
package final class NginxServer {
    package let port = Int.random(in: 20_000..<30_000)
    private let folder: URL
    private let process = Process()

    package var url: String { "http://127.0.0.1:\(port)/1k" }

    /// Starts nginx; nil where it is not installed.
    ///
    /// - Parameter files: The files that it serves beside, by their paths.
    package init?(files: [String: String] = [:]) throws {
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
        let configuration = folder.appending(path: "nginx.conf")
        try Self.configuration(port: port, folder: folder.path())
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

    private static func configuration(port: Int, folder: String) -> String {
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
            }
            """
    }
}
