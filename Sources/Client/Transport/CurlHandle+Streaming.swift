#if !canImport(Darwin)
import CLarderCurl

extension CurlHandle {
    /// Whether a transfer that is paused stops all others of its HTTP/2 connection, which is so below 8.14 (curl
    /// #10988, #16955 and #16960).
    static let pausesConnections = larder_curl_version() < 0x08_0E_00

    /// Goes on with what has been paused: what had been held back comes from within this call.
    func resume() -> CURLcode {
        silence.resume()
        return curl_easy_pause(easy, CURLPAUSE_CONT)
    }
}
#endif
