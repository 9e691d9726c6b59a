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

    /// Its place among the handles whose exchanges are under way.
    @exclusivity(unchecked) var place: Int?

    /// The exchange under way.
    @exclusivity(unchecked) private(set) var exchange: CurlExchange?

    /// Whether nothing was sent, as the connection that libcurl chose is of no use; it is closed then.
    @exclusivity(unchecked) private(set) var needsAnotherConnection = false

    @exclusivity(unchecked) private var limits = TransportLimits()
    @exclusivity(unchecked) private(set) var reader = ResponseHeadReader()
    @exclusivity(unchecked) var body = BodyBuffer(limit: 0)
    @exclusivity(unchecked) private(set) var decoder: ContentDecoder?
    /// Where the content goes, where it is read as it comes.
    @exclusivity(unchecked) private(set) var pipe: ContentPipe?
    @exclusivity(unchecked) private var url = CurlURL()
    @exclusivity(unchecked) private var fields = CurlFields()
    /// The numbers that libcurl's handle was told.
    @exclusivity(unchecked) var numbers = CurlNumbers()
    /// Whether it was told nothing of method and content but those of a plain GET.
    @exclusivity(unchecked) private var isPlain = false
    /// The bytes of the request's content, and of the response's as it is sent, and as its length says.
    @exclusivity(unchecked) var (bodySent, bodyReceived, bodyLength) = (0, 0, Int.max)
    /// The bytes that have been decoded of those that libcurl is to give again.
    @exclusivity(unchecked) var decodedAhead = 0
    /// For how long nothing has moved.
    @exclusivity(unchecked) var silence = CurlSilence()
    /// The sockets opened for the exchange, be they in use or closed again.
    @exclusivity(unchecked) var sockets: [CInt] = []
    /// The number of times that the request has been sent, as far as libcurl tells.
    @exclusivity(unchecked) var sendings = 0
    /// Whether the request went over a connection that ended, and goes over a new one now.
    @exclusivity(unchecked) private(set) var wasSentInVain = false
    /// When the exchange was begun first.
    @exclusivity(unchecked) private var start = ContinuousClock.now
    /// The time that the exchange had been under way when it was begun anew, in milliseconds.
    @exclusivity(unchecked) private(set) var elapsed = 0

    /// What is set for the connection of the exchange, if anything is.
    @exclusivity(unchecked) private var hostRoute: CurlHostRoute?
    var route: CurlRoute? { hostRoute?.route }
    /// What libcurl's handle was told of it, and when.
    private(set) var keptRoute: CurlHostRoute?
    private var routeTime = ContinuousClock.now
    /// The connection of the exchange as one that others may share.
    @exclusivity(unchecked) var sharing = CurlSharing()
    /// The addresses that are set for it.
    private var addresses: CurlList?

    /// The longest that it keeps that.
    private static let longestRouteTime = Duration.seconds(3_600)

    /// Whether libcurl's handle has to be renewed before the next exchange.
    @exclusivity(unchecked) private var isUsedUp = false

    /// The error of a callback that refused; libcurl itself only knows that one did.
    @exclusivity(unchecked) var refusal: TransportError?

    init?(
        _ configuration: CurlTransport.Configuration, connections: CurlConnections
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.configuration = configuration
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
        (isUsedUp, keptRoute) = (false, nil)
        if let fresh = curl_easy_init() {
            curl_easy_cleanup(easy)
            easy = fresh
        } else {
            curl_easy_reset(easy)
        }
        (numbers, isPlain) = (CurlNumbers(), false)
        url.forget()
        setUp()
    }

    /// Takes a new handle of libcurl's, where the one there has been told of a host's settings.
    func leaveRoute() {
        guard keptRoute != nil else { return }
        isUsedUp = true
        renewIfNeeded()
    }

    // MARK: - One exchange

    /// Prepares the handle for `exchange`; where that fails, it is free for the next one.
    ///
    /// - Parameter hostRoute: What is set for its connection.
    func begin(
        _ exchange: CurlExchange, over hostRoute: CurlHostRoute? = nil
    ) throws(TransportError) {
        if let keptRoute {
            // The system's authorities are read anew from time to time.
            isUsedUp =
                isUsedUp || keptRoute !== hostRoute || .now - routeTime > Self.longestRouteTime
        }
        renewIfNeeded()
        self.hostRoute = hostRoute
        if let hostRoute, hostRoute.route.isKeptOnHandle, keptRoute == nil {
            // Where that fails, it may have been told a part of it.
            (isUsedUp, keptRoute, routeTime) = (true, hostRoute, .now)
            addresses = try hostRoute.route.set(on: easy)
            isUsedUp = false
        }
        self.exchange = exchange
        connections.exchangeCount += 1
        sharing = CurlSharing()
        (wasSentInVain, sendings, start, elapsed) = (false, 0, .now, 0)
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

    private func prepare(for request: TransportRequest) {
        limits = request.limits ?? TransportLimits()
        reader.begin(limits: limits)
        body.begin(limit: limits.maximumBodySize, memoryLimit: limits.maximumMemory)
        (decoder, pipe, refusal, needsAnotherConnection) = (nil, nil, nil, false)
        (decodedAhead, silence) = (0, CurlSilence(within: request.idleTimeout))
        sockets.removeAll(keepingCapacity: true)
        detail.pointee = 0
        url.set(request.head, on: easy)
        setTimes(of: request, elapsed: elapsed)
        setReadSize(for: request)
        let isWatched = request.onProgress != nil || silence.isBounded
        numbers.noProgress.set(isWatched ? 0 : 1, on: easy)
        if Self.looksAhead { numbers.header.set(1, on: easy) }
        setVersion(for: request)
        setMethodAndBody(of: request)
        // Only over a kept connection does libcurl send anything again.
        let isAlone = sharing.needsNewConnection || wasSentInVain && !sharing.wasOverHTTP2
        let isFresh = isAlone || !noticesSendings && !request.isIdempotent
        numbers.freshConnect.set(isFresh ? 1 : 0, on: easy)
        fields.fill(from: request)
        larder_curl_set_list(easy, CURLOPT_HTTPHEADER, fields.list)
    }

    private func setMethodAndBody(of request: TransportRequest) {
        let (method, count) = (request.head.method, request.contentCount)
        (bodySent, bodyReceived, bodyLength) = (0, 0, .max)
        let wasPlain = isPlain
        isPlain = count == nil && method == .get
        if isPlain, wasPlain { return }
        // HTTPGET takes back whatever the exchange before had set.
        larder_curl_set_long(easy, CURLOPT_HTTPGET, 1)
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
    }

    /// Ends the exchange and hands it over, and is free for the next one.
    func end(_ code: CURLcode) -> CurlExchange? {
        guard let exchange else { return nil }
        self.exchange = nil
        connections.exchangeCount -= 1
        defer {
            let isSilent = code == CURLE_OPERATION_TIMEDOUT || refusal?.reason == .timedOut
            leaveConnection(inSilence: isSilent)
            // libcurl before 8.17 counts what it sends again over the life of a handle, and gives up
            // at the fifth time; 7.88 gives the next exchange what one has left that was held up.
            isUsedUp = sendings != 1 || pipe != nil
            (decoder, pipe) = (nil, nil)
            body.removeAll()
        }
        do throws(TransportError) {
            exchange.end(.success(try response(of: exchange, after: code)))
        } catch {
            exchange.end(.failure(error))
        }
        return exchange
    }

    private func response(
        of exchange: CurlExchange, after code: CURLcode
    ) throws(TransportError) -> TransportResponse {
        if let refusal { throw refusal }
        // A server may answer and hang up, or end the stream, while libcurl goes on sending the content.
        let isSendingOver =
            code == CURLE_SEND_ERROR
            || code == CURLE_HTTP2_STREAM && exchange.request.contentCount ?? 0 > 0
                && !String(cString: detail).contains("not closed cleanly")
        let isWhole = isSendingOver && reader.final?.head.isWhole(with: bodyReceived) == true
        guard code == CURLE_OK || isWhole else {
            throw TransportError(
                code, detail: detail, inHead: reader.final == nil,
                requestSize: exchange.request.headSize, wasSent: sendings > 0, over: route)
        }
        guard let read = reader.final else {
            throw TransportError(.connectionLost, "The connection ended within the header fields.")
        }
        if sendings > 1 { try read.head.checkCondition(of: exchange.request) }
        try decoder?.finish()
        return TransportResponse(
            head: read.head.message, content: try body.takeContent(), timings: times(of: exchange),
            since: start)
    }

    // MARK: - What libcurl calls

    /// Returns the number of bytes taken; any other than `count` ends the transfer.
    func receiveHead(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        noteHeard()
        silence.end()
        return accept(count) { () throws(TransportError) in
            let line = UnsafeRawBufferPointer(start: bytes, count: count)
            let wasInHead = reader.final == nil
            try reader.read(line.assumingMemoryBound(to: UInt8.self))
            guard wasInHead else { return }
            if let read = reader.final, let exchange {
                try prepareBody(of: exchange, after: read.head)
                if let pipe { exchange.begin(read.head.message, over: pipe, times(of: exchange)) }
            } else if Self.looksAhead {
                numbers.header.set(reader.isBeforeFields ? 1 : 0, on: easy)
            }
        }
    }

    private func prepareBody(
        of exchange: CurlExchange, after head: ResponseHead
    ) throws(TransportError) {
        if head.statusCode == 407, route?.proxy?.isHTTP == true,
            exchange.request.head.scheme == "http"
        {
            throw .refusedByProxy()
        }
        guard exchange.request.head.method != .head, !head.excludesContent else { return }
        guard !head.hasUnknownTransferCoding else {
            throw TransportError(
                .unsupportedContentEncoding, "The content comes in a transfer coding.")
        }
        bodyLength = Int(clamping: head.contentLength ?? .max)
        var limits = limits
        if let sink = exchange.request.sink,
            let writer = try sink.writer(for: head.message, from: exchange.request.urlText)
        {
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
        // From the first byte: 7.88 goes back only where it has sent some of what it has read.
        bodySent = 0
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
