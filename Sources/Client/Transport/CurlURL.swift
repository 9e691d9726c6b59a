#if !canImport(Darwin)
import CLarderCurl
import HTTPTypes

/// The URL of a handle's request, taken apart.
///
/// libcurl takes the text of a URL apart and puts it together again for each request, also where it is the same as
/// before, which is a fifth of its work; what it is given in parts, it only copies. What libcurl then says the URL is, is
/// below 8.12 that of an earlier request.
struct CurlURL: ~Copyable {
    private let parts = curl_url()
    /// The bytes of the last text, up to a NUL, and those of the next one.
    private var (text, next): ([CChar], [CChar]) = ([], [])
    /// Whether libcurl's handle has the parts of the text, or the text itself; nil where it has neither.
    private(set) var isInParts: Bool?

    deinit {
        curl_url_cleanup(parts)
    }

    /// Starts over with another handle of libcurl's.
    mutating func forget() {
        isInParts = nil
        text.removeAll(keepingCapacity: true)
    }

    /// Has libcurl's handle ask for the resource of a request.
    mutating func set(_ head: HTTPRequest, on easy: UnsafeMutableRawPointer) {
        next.removeAll(keepingCapacity: true)
        append(head.scheme)
        append("://")
        append(head.authority)
        append(head.path)
        next.append(0)
        if next == text { return }
        swap(&text, &next)
        // Of an address with a zone, libcurl copies everything but that.
        let canBeCopied = head.authority?.utf8.first != UInt8(ascii: "[")
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS)
        if canBeCopied, curl_url_set(parts, CURLUPART_URL, text, flags) == CURLUE_OK {
            if isInParts == true { return }
            isInParts = true
            larder_curl_set_parts(easy, parts)
        } else {
            // What can't be taken apart, libcurl says itself.
            if isInParts == true { larder_curl_set_parts(easy, nil) }
            isInParts = false
            larder_curl_set_string(easy, CURLOPT_URL, text)
        }
    }

    private mutating func append(_ part: String?) {
        guard let utf8 = part?.utf8 else { return }
        let isAdded: Void? = utf8.withContiguousStorageIfAvailable {
            $0.withMemoryRebound(to: CChar.self) { next.append(contentsOf: $0) }
        }
        if isAdded == nil { next.append(contentsOf: utf8.lazy.map { CChar(bitPattern: $0) }) }
    }
}
#endif
