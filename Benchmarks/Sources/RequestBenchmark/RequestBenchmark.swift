import CRequestBaseline
import Foundation
import HTTPTypes
import LarderClient
import Nginx

/// Requests a second of the libcurl transport and of C over libcurl, in turn, and their ratio; and 1 GB that both
/// throw away as it comes, as curl does.
///
/// The second ratio is of processor time, which other programs on the machine disturb less. With the argument `large`,
/// only the latter is measured.
@main
enum RequestBenchmark {
    private static let largeSize = 1_000_000_000

    static func main() async throws {
        guard let nginx = try NginxServer(largeSize: UInt64(largeSize), isSecure: true) else {
            print("nginx is not installed; nothing was measured (apt-get install nginx-light)")
            return
        }
        defer { nginx.stop() }
        if CommandLine.arguments.dropFirst().first != "large" { try compareRequests(nginx) }
        let url = "http://127.0.0.1:\(nginx.port)/"
        try await compareLarge(LargeBody(baseURL: url, path: "large", size: largeSize))
    }

    private static func compareRequests(_ nginx: NginxServer) throws {
        for (parallel, total) in [(1, 5000), (64, 40_000)] {
            compare("HTTP/1.1, \(parallel) at once", parallel, total, of: "http", nginx.port) {
                larder_baseline_fetch(nginx.url, Int32(total), Int32(parallel))
            }
        }
        if let port = nginx.securePort {
            let url = "https://127.0.0.1:\(port)/1k"
            let certificate = nginx.certificate
            let settings = TLSSettings(
                authorities: .only(try Data(contentsOf: URL(filePath: certificate))))
            for (parallel, total) in [(1, 5000), (64, 40_000)] {
                compare(
                    "HTTP/2, \(parallel) at once", parallel, total, of: "https", port, settings
                ) {
                    larder_baseline_fetch_secure(url, certificate, Int32(total), Int32(parallel))
                }
            }
        } else {
            print("there is no openssl; HTTP/2 was not measured")
        }
    }

    private static func compare(
        _ name: String, _ parallel: Int, _ total: Int, of scheme: String, _ port: Int,
        _ settings: TLSSettings? = nil, _ baseline: () -> Double
    ) {
        let request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: scheme, authority: "127.0.0.1:\(port)", path: "/1k"))
        var configuration = CurlTransport.Configuration()
        configuration.tls["127.0.0.1"] = settings
        var comparison = Comparison(of: "CurlTransport")
        for round in 0..<7 {
            let c = Sample.of { baseline() > 0 }
            let transport = CurlTransport(configuration: configuration)
            let swift = Sample.of {
                RequestRun(transport, request, total: total).perform(parallel: parallel)
            }
            guard let c, let swift else {
                print("\(name): a request failed")
                return
            }
            // The first round warms up.
            if round > 0 { comparison.add(swift: swift, c: c, total: total) }
        }
        print("\(name): \(comparison)")
    }

    private static func compareLarge(_ body: LargeBody) async throws {
        var comparison = Comparison(of: "Client.stream, MB", beside: "C over libcurl, MB")
        var besideCurl = Comparison(of: "Client.stream, MB", beside: "curl -o /dev/null, MB")
        var hasCurl = true
        var (swiftKilobytes, cKilobytes) = (0, 0)
        for round in 0..<7 {
            var kilobytes = 0
            let c = try await Sample.of { kilobytes = try body.discardInC() }
            cKilobytes = max(cKilobytes, kilobytes)
            let swift = try await Sample.of { kilobytes = try await body.stream() }
            swiftKilobytes = max(swiftKilobytes, kilobytes)
            let curl = try body.discardByCurl()
            hasCurl = curl != nil
            guard round > 0 else { continue }
            comparison.add(swift: swift, c: c, total: body.size / 1_000_000)
            if let curl {
                besideCurl.add(swift: swift, c: curl, total: body.size / 1_000_000)
            }
        }
        print("1 GB: \(comparison)")
        print("1 GB: \(hasCurl ? "\(besideCurl)" : "curl is not installed")")
        print("most memory over idle: Client.stream \(swiftKilobytes) KiB, C \(cKilobytes) KiB")
    }
}
