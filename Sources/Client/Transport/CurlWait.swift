#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// The calls by which the transport's thread waits for its connections.
struct CurlWait: Sendable {
    /// Waits until something comes, at most so many milliseconds.
    var poll: @Sendable (_ multi: UnsafeMutableRawPointer, _ milliseconds: Int32) -> CURLMcode = {
        curl_multi_poll($0, nil, 0, $1, nil)
    }

    /// Lets a moment pass.
    var pause: @Sendable () -> Void = { usleep(10_000) }

    func run(_ multi: UnsafeMutableRawPointer, atMost milliseconds: Int32) {
        // What fails has not waited, and would fail again at once, for as long as there is no room.
        if poll(multi, milliseconds) != CURLM_OK { pause() }
    }
}
#endif
