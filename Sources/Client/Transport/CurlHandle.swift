#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes
import LarderPromises

/// An easy handle of libcurl's, renewed where needed, that performs one exchange after the other.
///
/// It belongs to the transport's thread: libcurl calls back on it, and nothing else touches it. What each exchange
/// looks at dozens of times is not checked for overlapping accesses while the program runs.
final class CurlHandle {
    private(set) var easy: UnsafeMutableRawPointer
    let configuration: CurlTransport.Configuration

    /// The record of the connections that libcurl keeps, shared by all handles.
    let connections: CurlConnections

    /// The error buffer: libcurl writes there what it knows of a failure beyond its code.
    let detail = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// Whether libcurl asks before each sending; older releases than 7.80 don't.
    var noticesSendings = false

    /// Whether the request has been kept from being sent.
    var isRefused: Bool { needsAnotherConnection || refusal != nil }

    /// The exchange under way.
    @exclusivity(unchecked) private(set) var exchange: CurlExchange?

    /// Whether nothing was sent, as the connection that libcurl chose is of no use; it is closed then.
    private(set) var needsAnotherConnection = false

    @exclusivity(unchecked) private var limits = TransportLimits()
    @exclusivity(unchecked) private(set) var reader = ResponseHeadReader()
    @exclusivity(unchecked) var body = BodyBuffer(limit: 0)
    @exclusivity(unchecked) private(set) var decoder: ContentDecoder?
    /// Where the content goes, where it is read as it comes.
    @exclusivity(unchecked) private(set) var pipe: ContentPipe?
    @exclusivity(unchecked) private var fields = CurlFields()
    /// The bytes that libcurl reads at once.
    var readSize = CurlHandle.usualReadSize
    /// The bytes of the request's content, and of the response's as it is sent, and as its length says.
    @exclusivity(unchecked) var (bodySent, bodyReceived, bodyLength) = (0, 0, Int.max)
    /// The bytes that have been decoded of those that libcurl is to give again.
    @exclusivity(unchecked) var decodedAhead = 0
    /// For how long nothing has moved.
    @exclusivity(unchecked) var silence = CurlSilence()
    /// The sockets opened for the exchange, be they in use or closed again.
    var sockets: [CInt] = []
    /// The number of times that the request has been sent, as far as libcurl tells.
    @exclusivity(unchecked) var sendings = 0
    /// Whether the request went over a connection that ended, and goes over a new one now.
    @exclusivity(unchecked) private var wasSentInVain = false
    /// When the exchange was begun first.
    private var start = ContinuousClock.now
    /// The time that the exchange had been under way when it was begun anew, in milliseconds.
    private(set) var elapsed = 0

    /// The settings of hosts, if there are any.
    private let routes: CurlRoutes?
    /// What is set for the connection of the exchange, if anything is.
    private(set) var route: CurlRoute?
    /// The connection of the exchange as one that others may share.
    @exclusivity(unchecked) var sharing = CurlSharing()
    /// The addresses that are set for it.
    private var addresses: CurlList?

    /// Whether libcurl's handle has to be renewed before the next exchange.
    private var isUsedUp = false

    /// The error of a callback that refused; libcurl itself only knows that one did.
    @exclusivity(unchecked) var refusal: TransportError?

    init?(
        _ configuration: CurlTransport.Configuration, _ routes: CurlRoutes?,
        connections: CurlConnections
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.configuration = configuration
        self.routes = routes
        self.connections = connections
        detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setUp()
    }

    deinit {
        curl_easy_cleanup(easy)
        detail.deallocate()
    }

    /// Takes a new handle of libcurl's, where the one there is stands no other exchange.
    func renewIfNeeded() {
        guard isUsedUp else { return }
        isUsedUp = false
        if let fresh = curl_easy_init() {
            curl_easy_cleanup(easy)
            easy = fresh
        } else {
            curl_easy_reset(easy)
        }
        readSize = Self.usualReadSize
        setUp()
    }

    // MARK: - One exchange

    /// Prepares the handle for `exchange`; where that fails, it is free for the next one.
    func begin(_ exchange: CurlExchange) throws(TransportError) {
        renewIfNeeded()
        route = try routes?.route(of: exchange.request)
        if let route, route.isKeptOnHandle {
            isUsedUp = true
            addresses = try route.set(on: easy)
        }
        self.exchange = exchange
        sharing = CurlSharing()
        (wasSentInVain, sendings) = (false, 0)
        (start, elapsed) = (.now, 0)
        prepare(for: exchange.request)
    }

    /// Prepares the handle for its exchange once more, in what is left of its time.
    func beginAgain() {
        guard let exchange else { return }
        elapsed = (ContinuousClock.now - start).wholeMilliseconds
        wasSentInVain = !needsAnotherConnection && !sharing.isWaiting
        leaveConnection()
        prepare(for: exchange.request)
    }

    /// Whether a request is to be sent again, once and over a new connection, as the server was ending
    /// the kept one of HTTP/2 that it went over.
    ///
    /// libcurl does so by itself over HTTP/1.1, and fails here (7.88: always; 8.21: at times).
    func isToBeSentAgain(after code: CURLcode) -> Bool {
        let isLost =
            switch code {
            case CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: true
            default: false
            }
        guard isLost, !wasSentInVain, sendings <= mostResendings, refusal == nil, !reader.hasBegun,
            exchange?.request.isIdempotent == true,
            // A line of them that is too long for libcurl has come for all that.
            !String(cString: detail).contains("headers")
        else { return false }
        var opened = 0
        larder_curl_get_long(easy, CURLINFO_NUM_CONNECTS, &opened)
        return opened == 0 || sharing.wasOverHTTP2
    }

    private func prepare(for request: TransportRequest) {
        limits = request.limits ?? TransportLimits()
        reader.begin(limits: limits)
        body.begin(limit: limits.maximumBodySize, memoryLimit: limits.maximumMemory)
        (decoder, pipe, refusal, needsAnotherConnection) = (nil, nil, nil, false)
        (decodedAhead, silence) = (0, CurlSilence(within: request.idleTimeout))
        sockets.removeAll(keepingCapacity: true)
        detail.pointee = 0
        larder_curl_set_string(easy, CURLOPT_URL, request.urlText)
        setTimes(of: request, elapsed: elapsed)
        setReadSize(for: request)
        let isWatched = request.onProgress != nil || silence.isBounded
        larder_curl_set_long(easy, CURLOPT_NOPROGRESS, isWatched ? 0 : 1)
        setMethodAndBody(of: request)
        fields.fill(from: request)
        larder_curl_set_list(easy, CURLOPT_HTTPHEADER, fields.list)
    }

    private func setMethodAndBody(of request: TransportRequest) {
        let method = request.head.method
        // HTTPGET takes back whatever the exchange before had set.
        larder_curl_set_long(easy, CURLOPT_HTTPGET, 1)
        (bodySent, bodyReceived, bodyLength) = (0, 0, .max)
        let count = request.contentCount
        setVersion(for: request)
        if let count {
            // Without bytes of its own, libcurl asks for them, through giveBody.
            larder_curl_set_string(easy, CURLOPT_POSTFIELDS, count == 0 ? "" : nil)
            larder_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(count))
        } else if method == .head {
            larder_curl_set_long(easy, CURLOPT_NOBODY, 1)
        }
        let isImplied = count == nil ? method == .get || method == .head : method == .post
        larder_curl_set_string(
            easy, CURLOPT_CUSTOMREQUEST, isImplied ? nil : method.rawValue)
        // Only over a kept connection does libcurl send anything again.
        let isAlone = sharing.needsNewConnection || wasSentInVain && !sharing.wasOverHTTP2
        larder_curl_set_long(
            easy, CURLOPT_FRESH_CONNECT,
            isAlone || !noticesSendings && !request.isIdempotent ? 1 : 0)
    }

    /// Hands over the exchange and how it ended, and is free for the next one.
    func end(_ code: CURLcode) -> (CurlExchange, Result<TransportResponse, TransportError>)? {
        guard let exchange else { return nil }
        self.exchange = nil
        defer {
            let isSilent = code == CURLE_OPERATION_TIMEDOUT || refusal?.reason == .timedOut
            leaveConnection(inSilence: isSilent)
            // libcurl before 8.17 counts what it sends again over the life of a handle, and gives up
            // at the fifth time; 7.88 gives the next exchange what one has left that was held up.
            isUsedUp = sendings != 1 || pipe != nil || route?.isKeptOnHandle == true
            (decoder, pipe) = (nil, nil)
            body.removeAll()
        }
        do throws(TransportError) {
            return (exchange, .success(try response(to: exchange.request, after: code)))
        } catch {
            return (exchange, .failure(error))
        }
    }

    private func response(
        to request: TransportRequest, after code: CURLcode
    ) throws(TransportError) -> TransportResponse {
        if let refusal { throw refusal }
        // A server may answer and hang up, or end the stream, while libcurl goes on sending the content.
        let isSendingOver =
            code == CURLE_SEND_ERROR
            || code == CURLE_HTTP2_STREAM && request.contentCount ?? 0 > 0
                && !String(cString: detail).contains("not closed cleanly")
        let isWhole = isSendingOver && reader.head?.isWhole(with: bodyReceived) == true
        guard code == CURLE_OK || isWhole else {
            throw TransportError(
                code, detail: detail, inHead: reader.head == nil, requestSize: request.headSize,
                wasSent: sendings > 0, over: route)
        }
        guard let head = reader.head else {
            throw TransportError(.connectionLost, "The connection ended within the header fields.")
        }
        try head.checkCondition(of: request, sendings: sendings)
        try decoder?.finish()
        let content = try body.takeContent()
        return TransportResponse(
            head: head.message, content: content, timings: times(of: request), since: start)
    }

    // MARK: - What libcurl calls

    /// Whether the exchange goes on, of which so many bytes have moved.
    func goesOn(moved: Int64) -> Bool {
        // To connect has a bound of its own.
        guard sendings > 0 || !noticesSendings, let time = silence.reached(moved: moved) else {
            return true
        }
        refusal = .silent(for: time)
        return false
    }

    /// Returns the number of bytes taken; any other than `count` ends the transfer.
    func receiveHead(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        noteHeard()
        silence.end()
        return accept(count) { () throws(TransportError) in
            let line = UnsafeRawBufferPointer(start: bytes, count: count)
            let wasInHead = reader.head == nil
            try reader.read(line.assumingMemoryBound(to: UInt8.self))
            if wasInHead, let head = reader.head, let exchange {
                try prepareBody(of: exchange.request, after: head)
                if let pipe {
                    exchange.begin(head.message, over: pipe, times(of: exchange.request))
                }
            }
        }
    }

    private func prepareBody(
        of request: TransportRequest, after head: ResponseHead
    ) throws(TransportError) {
        if head.message.status == .proxyAuthenticationRequired, route?.proxy?.isHTTP == true,
            request.head.scheme == "http"
        {
            throw .refusedByProxy()
        }
        guard request.head.method != .head, !head.excludesContent else { return }
        guard !head.hasUnknownTransferCoding else {
            throw TransportError(
                .unsupportedContentEncoding, "The content comes in a transfer coding.")
        }
        bodyLength = Int(clamping: head.contentLength ?? .max)
        var limits = limits
        if let sink = request.sink, let writer = try sink.writer(for: head.message) {
            limits.maximumBodySize = sink.maximumCodedCount
            body.write(to: writer)
            pipe = writer as? ContentPipe
        } else if let length = head.contentLength {
            guard length <= limits.maximumBodySize else {
                throw .limitExceeded("The content exceeds \(limits.maximumBodySize) bytes.")
            }
            body.reserve(Int(min(length, 1 << 20)))
        }
        guard !fields.namesEncoding else { return }
        decoder = try ContentCoding.decoder(of: head.contentCodings, limits: limits)
    }

    func accept(_ count: Int, _ work: () throws(TransportError) -> Void) -> Int {
        do throws(TransportError) {
            try work()
            return count
        } catch {
            refusal = error
            // Anything but the count makes libcurl give up; 0 would not, where the count is 0.
            return count == 0 ? 1 : 0
        }
    }

    /// Copies the next bytes of the content; 0 is its end.
    func giveBody(_ space: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let space, let body = exchange?.request.body else { return 0 }
        let part = body.dropFirst(bodySent).prefix(count)
        part.copyBytes(to: UnsafeMutableRawBufferPointer(start: space, count: count))
        bodySent += part.count
        return part.count
    }

    /// Goes back in the content, which libcurl asks for when a kept connection turns out to be gone.
    func rewindBody(to offset: Int, _ origin: Int32) -> Int32 {
        guard origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        bodySent = offset
        return CURL_SEEKFUNC_OK
    }

    /// Whether libcurl may send the request now, over a connection; only an idempotent one may be sent
    /// again unasked (RFC 9110, section 9.2.2).
    ///
    /// libcurl sends a request again where a kept connection ended before a whole line of a response
    /// came, though the server may have read the request and acted on it.
    func mayBeSent(over ends: CurlConnections.Ends) -> Bool {
        guard joinConnection(between: ends), connections.isAtRest(ends, of: easy) else {
            (needsAnotherConnection, connections.haveRefused) = (refusal == nil, true)
            return false
        }
        connections.noteSending(over: ends, opened: sockets, as: sharing.connection)
        sendings += 1
        silence.end()
        guard sendings > 1, sendings - 1 > mostResendings else { return true }
        connections.haveRefused = true
        let isSentOnce = exchange?.request.isIdempotent == false
        refusal = TransportError(
            .connectionLost,
            isSentOnce
                ? "The connection ended before the response had begun; the server may have acted on the "
                    + "request, which is not sent again."
                : "The connection ended before the response had begun, each time that it was sent.")
        return false
    }
}
#endif
