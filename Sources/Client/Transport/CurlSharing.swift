#if !canImport(Darwin)
import CLarderCurl
import HTTPTypes
import LarderPromises

/// The connection of one exchange, as far as other exchanges may go over it too.
struct CurlSharing {
    /// How a request of HTTP/2 comes to it.
    enum Way {
        /// Not at all, in plain text.
        case none
        /// Not at all, over TLS.
        case secureHTTP1
        /// Where the host agrees to it in the TLS handshake.
        case agreement
        /// By what is set for the host.
        case priorKnowledge
    }

    fileprivate(set) var way = Way.none
    /// The connection that the request went over, while it is under way.
    fileprivate(set) var connection: CurlSharedConnection?
    fileprivate var heardBefore = 0
    /// The ends of the connection that the request went over.
    fileprivate var ends: CurlConnections.Ends?
    /// Whether the request has gone over a connection of HTTP/2.
    fileprivate(set) var wasOverHTTP2 = false
    /// Whether nobody else had gone over the connection that the request went over before.
    fileprivate var wasFirst = false
    /// Whether its connection is nobody else's: the ends of a unix socket's are all the same.
    fileprivate var isAlone = false
    /// Whether it was refused its place on a connection, and is to open one.
    fileprivate(set) var opensConnection = false
    /// The number of connections that were opened for it, and refused for all that.
    fileprivate var openedInVain = 0
    /// The most of those, of which there should be none: more would be opened for ever.
    static let mostOpenedInVain = 8
    /// Whether it waits for a connection that another opens, and since when.
    fileprivate(set) var isWaiting = false
    fileprivate var begin: ContinuousClock.Instant?
    /// Whether it opens a connection by prior knowledge.
    fileprivate var opensKnown = false
    /// The host to which it does, until the request goes out.
    fileprivate var opening: String?

    /// Whether libcurl is to open a connection, whatever is there.
    var needsNewConnection: Bool { isAlone || opensConnection || opensKnown }

    /// The time of waiting, of which libcurl doesn't tell.
    var millisecondsWaited: Int {
        guard let begin else { return 0 }
        return (ContinuousClock.now - begin).wholeMilliseconds
    }
}

extension CurlHandle {
    /// Sets the version of HTTP, and whether the request waits for a connection that another opens.
    ///
    /// Content goes over HTTP/1.1: over HTTP/2, libcurl waits for ever where a server has answered in whole before
    /// it has read the content; 8.12 still does.
    func setVersion(for request: TransportRequest) {
        sharing.way = way(of: request)
        sharing.isAlone = route?.unixSocket != nil
        let version =
            switch sharing.way {
            case .none, .secureHTTP1: CURL_HTTP_VERSION_1_1
            case .agreement: CURL_HTTP_VERSION_2TLS
            case .priorKnowledge
            where !Self.switchesEachTime || sharing.isAlone || opensKnown(request):
                CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            // A version by which libcurl takes the connection for what it is, and sends nothing over others.
            case .priorKnowledge: CURL_HTTP_VERSION_2TLS
            }
        numbers.version.set(version, on: easy)
        let waits =
            switch sharing.way {
            case .none, .secureHTTP1: false
            // Waiting once is enough.
            case .agreement, .priorKnowledge:
                sharing.begin == nil && !sharing.needsNewConnection
                    && !connections.shared.isWithoutHTTP2(request.head.authority ?? "")
            }
        sharing.isWaiting = waits
        sharing.begin = waits ? .now : sharing.begin
        numbers.pipeWait.set(waits ? 1 : 0, on: easy)
    }

    /// Whether libcurl takes each request for the first on its connection where it knows that HTTP/2 is
    /// spoken, and so ruins connections that it uses again: 7.88 does.
    private static let switchesEachTime = larder_curl_version() >> 8 == 0x0758

    /// Whether a request is to open a connection by prior knowledge, as there is none.
    private func opensKnown(_ request: TransportRequest) -> Bool {
        let host = request.head.authority ?? ""
        sharing.opensKnown = sharing.opensConnection || !connections.shared.isKnown(host)
        guard sharing.opensKnown else { return false }
        connections.shared.beginOpening(host)
        sharing.opening = host
        return true
    }

    /// Whether libcurl may let what has come for one stream lie in the TLS library of a proxy, as it waits for the
    /// socket alone (curl #6936): 7.88 does, 8.23 does not.
    private static let hidesTunnels = larder_curl_version() < 0x08_0E_00

    private func way(of request: TransportRequest) -> CurlSharing.Way {
        let versions = route?.versions ?? configuration.httpVersions
        guard request.head.scheme == "https" else {
            // Only a tunnel of a SOCKS proxy carries it.
            let isDirect = route?.proxy?.url.hasPrefix("http") != true
            return versions == .priorKnowledge && isDirect ? .priorKnowledge : .none
        }
        let isHidden = Self.hidesTunnels && route?.proxy?.url.hasPrefix("https:") == true
        let isAlone =
            request.contentCount != nil || request.isStreamed && Self.pausesConnections || isHidden
        return versions == .upTo1 || isAlone ? .secureHTTP1 : .agreement
    }

    /// Takes a place on the connection that libcurl has chosen; false where there is none.
    func joinConnection(between ends: CurlConnections.Ends) -> Bool {
        leaveConnection(isOver: false)
        sharing.ends = ends
        guard sharing.way != .none else { return true }
        let way = sharing.way
        func speaksHTTP2() -> Bool {
            way == .priorKnowledge
                || way == .agreement && larder_curl_agreed_on_http2(easy) != 0
        }
        guard !sharing.isAlone else {
            if speaksHTTP2() { (sharing.wasOverHTTP2, sharing.wasFirst) = (true, true) }
            return true
        }
        if way == .priorKnowledge, Self.switchesEachTime {
            let isKnown = connections.shared.isByPriorKnowledge(ends)
            let isFit =
                sharing.opensKnown ? !isKnown && sockets.contains(where: ends.areThose) : isKnown
            guard isFit else { return refuseConnection() }
        }
        let joined = connections.shared.join(ends, from: self, speaksHTTP2: speaksHTTP2)
        guard let joined else { return refuseConnection() }
        sharing.isWaiting = false
        sharing.connection = joined
        sharing.heardBefore = joined.heard
        if joined.speaksHTTP2 { sharing.wasOverHTTP2 = true }
        if sharing.opensKnown {
            let host = exchange?.request.head.authority ?? ""
            // libcurl may have opened another by itself.
            if sharing.opening.take() == nil { connections.shared.beginOpening(host) }
            connections.shared.note(joined, isKnownAs: host)
        }
        // One that is used again may have been opened for content, and never asked about HTTP/2.
        if way == .agreement, joined.speaksHTTP2 || !sockets.isEmpty {
            connections.shared.note(
                exchange?.request.head.authority ?? "", speaksHTTP2: joined.speaksHTTP2)
        }
        return true
    }

    /// Takes note of a piece of a response's head.
    func noteHeard() {
        sharing.connection?.heard &+= 1
        guard sharing.way == .agreement || sharing.way == .priorKnowledge,
            sharing.connection?.speaksHTTP2 != true, let ends = sharing.ends
        else { return }
        var version = 0
        larder_curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
        // Before that nothing says so where a connection is nobody else's, or the TLS library is one that
        // nobody can ask; and over HTTP/2 things may come at any time.
        if version > CURL_HTTP_VERSION_1_1 { connections.forget(ends) }
    }

    /// Has a connection be opened in place of the one that libcurl has chosen, or ends the exchange where
    /// that is of no use; returns false.
    private func refuseConnection() -> Bool {
        sharing.isWaiting = false
        if sharing.opensConnection { sharing.openedInVain += 1 }
        sharing.opensConnection = true
        if sharing.openedInVain >= CurlSharing.mostOpenedInVain {
            refusal = TransportError(
                sendings > 0 ? .connectionLost : .cannotConnect,
                "None of the connections that were opened is one for the request alone.")
        }
        return false
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
        guard isLost, !wasSentInVain, isSafeToSendAgain, refusal == nil,
            // A line of them that is too long for libcurl has come for all that.
            !String(cString: detail).contains("headers")
        else { return false }
        var opened = 0
        larder_curl_get_long(easy, CURLINFO_NUM_CONNECTS, &opened)
        return opened == 0 || sharing.wasOverHTTP2
    }

    /// Whether a request is to be sent again, once and over a new connection, as the kept one that it went over leads
    /// to somebody who does not answer for its host (RFC 9110, section 15.5.20) and has done nothing.
    func isMisdirected(after code: CURLcode) -> Bool {
        guard code == CURLE_OK, reader.final?.head.statusCode == 421 else {
            return false
        }
        var opened = 0
        larder_curl_get_long(easy, CURLINFO_NUM_CONNECTS, &opened)
        guard opened == 0, !sharing.opensConnection else { return false }
        sharing.opensConnection = true
        // Those before it may have done something.
        sendings = max(sendings - 1, 0)
        return true
    }

    /// Whether a request is to be begun anew, once and over a new connection, as libcurl could use none for it: so
    /// does 7.88 at times behind the tunnel of a proxy where requests of HTTP/2 wait for it, or are to be sent
    /// again.
    func isWithoutConnection(after code: CURLcode) -> Bool {
        guard code == CURLE_FAILED_INIT, noticesSendings, sendings == 0 || isSafeToSendAgain,
            refusal == nil, !sharing.opensConnection
        else { return false }
        sharing.opensConnection = true
        return true
    }

    /// Whether a request that was sent, and to which nothing has come, may be sent once more.
    private var isSafeToSendAgain: Bool {
        sendings <= mostResendings && !reader.hasBegun && exchange?.request.isIdempotent == true
    }

    /// Gives the place on its connection up.
    ///
    /// - Parameters:
    ///   - inSilence: Whether the exchange's time has passed.
    ///   - isOver: Whether libcurl is done with it for now.
    func leaveConnection(inSilence: Bool = false, isOver: Bool = true) {
        if isOver, let host = sharing.opening.take() { connections.shared.endOpening(host) }
        guard let connection = sharing.connection.take() else { return }
        sharing.wasFirst = connection.joined == 1
        connections.shared.leave(
            connection, inSilence: inSilence && connection.heard == sharing.heardBefore)
    }

    /// The number of times that the exchange's request may be sent again.
    ///
    /// Over HTTP/1.1 each of the connections that are kept may turn out to be gone, but only once, and an idempotent
    /// request may go out again. Over HTTP/2 any request may, once, that the server says not to have looked at: by
    /// REFUSED_STREAM, or by a GOAWAY of a lower stream. libcurl doesn't tell that from a connection that
    /// just ended, unless nobody but this request has used it; what is not idempotent stays unsent otherwise.
    var mostResendings: Int {
        let isIdempotent = exchange?.request.isIdempotent == true
        guard sharing.wasOverHTTP2 else {
            return isIdempotent ? configuration.exchangeLimit : 0
        }
        return isIdempotent || sharing.wasFirst ? 1 : 0
    }
}
#endif
