#if !canImport(Darwin)
import CLarderCurl

/// The numbers that exchanges set on a handle of libcurl's, which keeps them for the next one.
struct CurlNumbers {
    var timeout = Number(CURLOPT_TIMEOUT_MS)
    var lowSpeedLimit = Number(CURLOPT_LOW_SPEED_LIMIT)
    var lowSpeedTime = Number(CURLOPT_LOW_SPEED_TIME)
    var bufferSize = Number(CURLOPT_BUFFERSIZE)
    var noProgress = Number(CURLOPT_NOPROGRESS)
    var header = Number(CURLOPT_HEADER)
    var version = Number(CURLOPT_HTTP_VERSION)
    var pipeWait = Number(CURLOPT_PIPEWAIT)
    var freshConnect = Number(CURLOPT_FRESH_CONNECT)

    /// An option, with the number that libcurl was told last.
    struct Number {
        private let option: CURLoption
        private var value: Int?

        init(_ option: CURLoption) { self.option = option }

        /// Tells libcurl a number, unless it has been told that one.
        mutating func set(_ value: Int, on easy: UnsafeMutableRawPointer) {
            guard value != self.value else { return }
            self.value = value
            larder_curl_set_long(easy, option, value)
        }
    }
}
#endif
