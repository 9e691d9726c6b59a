#if !canImport(Darwin)
import CLarderCurl

extension CurlHandle {
    /// The times of the exchange that has ended, where somebody wants them.
    func times(of exchange: CurlExchange) -> RequestTimings? {
        guard exchange.request.isTimed else { return nil }
        let times = larder_curl_get_times(easy)
        var timings = RequestTimings()
        timings.isConnectionReused = times.connections == 0
        var last: Int64 = 0
        // Each is told from the beginning on, and as 0 where there was none.
        func phase(_ end: Int64) -> Duration? {
            guard end > last else { return nil }
            defer { last = end }
            return .microseconds(end - last)
        }
        // Of a kept connection some releases tell when it was found.
        if times.connections > 0 {
            timings.nameLookup = phase(times.looked_up)
            timings.connect = phase(times.connected)
            timings.secureConnect = phase(times.secured)
        }
        timings.firstByte = phase(times.answered)
        timings.transfer = .microseconds(max(times.ended, last))
        return timings
    }
}
#endif
