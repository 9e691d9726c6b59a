#if !canImport(Darwin)
import Foundation
import LarderTesting
import TestProgram

@testable import LarderClient

/// nginx on 127.0.0.1, with TLS and HTTP/2, and with a log of what it was asked.
///
/// It ends when it is stopped, and with the process of the test.
final class NginxServer: Sendable {
    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static let path = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"]
        .map { "\($0)/nginx" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether there is all that it takes.
    static let isPossible = path != nil && TLSServer.isPossible

    /// The size of `/file-large`.
    static let largeSize = 4 << 20

    let baseURL: URL
    /// The URL of a server on another port that asks for a client's certificate.
    let mutualURL: URL
    /// The URL of one whose certificate is for another host, and of one whose certificate has expired.
    let otherHostURL, expiredURL: URL

    /// The folder of its ``TestCertificates``.
    let folder: URL

    init() async throws {
        folder = try await TestCertificates.made()
        var ports: [Int] = []
        var outcome: TestProgram.Outcome?
        // Another may take a port meanwhile.
        for _ in 0..<5 where outcome?.status != 0 {
            ports = try Self.freePorts(4)
            try Data(Self.settings(folder: folder, ports: ports).utf8)
                .write(to: folder.appending(path: "nginx.conf"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "files"), withIntermediateDirectories: true)
            try Data(repeating: 0x61, count: 1000)
                .write(to: folder.appending(path: "files/file"))
            try Data(count: Self.largeSize).write(to: folder.appending(path: "files/file-large"))
            outcome = try await Self.run(folder, [])
        }
        guard outcome?.status == 0 else { throw Failed(description: outcome?.errors ?? "") }
        let urls = ports.compactMap { URL(string: "https://127.0.0.1:\($0)/") }
        (baseURL, mutualURL, otherHostURL, expiredURL) = (urls[0], urls[1], urls[2], urls[3])
    }

    /// How a transport connects that trusts the certificates' authority.
    func configuration(
        _ change: (inout TLSSettings) throws -> Void = { _ in }
    ) throws -> CurlTransport.Configuration {
        var settings = TLSSettings(authorities: .only(try file("authority.pem")))
        try change(&settings)
        var configuration = CurlTransport.Configuration()
        configuration.tls["127.0.0.1"] = settings
        return configuration
    }

    func file(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    /// Lets other processes serve, while those there are finish what they are at.
    func reload() async throws { _ = try await Self.run(folder, ["-s", "reload"]) }

    /// Ends it in the middle of whatever it does, and starts it again.
    func restart() async throws {
        _ = try await Self.run(folder, ["-s", "stop"])
        var outcome = try await Self.run(folder, [])
        // The one that was told to end may still hold the port.
        for _ in 0..<50 where outcome.status != 0 { outcome = try await Self.run(folder, []) }
        guard outcome.status == 0 else { throw Failed(description: outcome.errors) }
    }

    /// The requests so far, as method, path and status.
    func requests() throws -> [String] {
        String(decoding: try file("access.log"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    func stop() async {
        _ = try? await Self.run(folder, ["-s", "stop"])
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ folder: URL, _ arguments: [String]) async throws
        -> TestProgram.Outcome
    {
        guard let path, let python = TestProgram(onPathAs: "python3") else {
            throw Failed(description: "There is no nginx.")
        }
        let place = folder.path(percentEncoded: false)
        return try await python.run(
            ["-c", start, place, "\(getpid())", path, "-p", place, "-e", "error.log"]
                + ["-c", "nginx.conf"] + arguments)
    }

    /// Runs nginx without the descriptors by which Foundation waits for processes, and, where it goes on in the
    /// background, something that ends it with the process of the test.
    private static let start = """
        import subprocess, sys
        folder, process, *command = sys.argv[1:]
        status = subprocess.call(command)
        if status == 0 and "-s" not in command:
            subprocess.Popen(
                ["sh", "-c", 'while [ -d "$1" ] && kill -0 "$2"; do sleep 1; done; kill "$(cat "$1/pid")"',
                 "sh", folder, process],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sys.exit(status)
        """

    private static func freePorts(_ count: Int) throws -> [Int] {
        let servers = try (0..<count).map { _ in try RawServer { _ in } }
        defer { for server in servers { server.stop() } }
        return servers.map(\.port)
    }

    private static func settings(folder: URL, ports: [Int]) -> String {
        let certificates = ["good", "good", "otherHost", "expired"]
        let servers = zip(ports, certificates).enumerated().map { index, server in
            """
            server {
                listen 127.0.0.1:\(server.0) ssl http2;
                ssl_certificate \(server.1).pem;
                ssl_certificate_key server.key;
                \(index == 1 ? "ssl_verify_client on; ssl_client_certificate authority.pem; ssl_crl revoked.crl;" : "")
                location / { return 200 "$connection"; }
                location /file { root files; etag on; }
                location /busy { add_header Retry-After 7 always; return 429; }
                location /drop { return 444; }
            }
            """
        }
        return """
            \(getuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid pid;
            error_log error.log;
            events { worker_connections 1024; }
            http {
                log_format asked "$request_method $request_uri $status";
                access_log access.log asked;
                client_body_temp_path temporary;
                proxy_temp_path temporary;
                fastcgi_temp_path temporary;
                uwsgi_temp_path temporary;
                scgi_temp_path temporary;
                \(servers.joined(separator: "\n"))
            }
            """
    }
}
#endif
