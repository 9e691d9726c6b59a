import CRequestBaseline
import Foundation
import HTTPTypes
import LarderClient
import Nginx

/// Requests a second of the libcurl transport and of C over libcurl, in turn, and their ratio.
///
/// The second ratio is of processor time, which other programs on the machine disturb less.
@main
enum RequestBenchmark {
    static func main() throws {
        guard let nginx = try NginxServer() else {
            print("nginx is not installed; nothing was measured (apt-get install nginx-light)")
            return
        }
        defer { nginx.stop() }
        let request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(nginx.port)", path: "/1k"))
        for (parallel, total) in [(1, 5000), (64, 40_000)] {
            var comparison = Comparison(of: "CurlTransport")
            for round in 0..<7 {
                let c = Sample.of {
                    larder_baseline_fetch(nginx.url, Int32(total), Int32(parallel)) > 0
                }
                let transport = CurlTransport()
                let swift = Sample.of {
                    RequestRun(transport, request, total: total).perform(parallel: parallel)
                }
                guard let c, let swift else {
                    print("a request failed")
                    return
                }
                // The first round warms up.
                if round > 0 { comparison.add(swift: swift, c: c, total: total) }
            }
            print("\(parallel) at once: \(comparison)")
        }
    }
}
