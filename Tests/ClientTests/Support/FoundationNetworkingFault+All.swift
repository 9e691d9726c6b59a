#if LARDER_URLSESSION && !canImport(Darwin)
import Testing

extension FoundationNetworkingFault {
    static let all = processes + exchanges + streams + timings + hostileResponses

    private static let apple = "https://developer.apple.com/documentation/foundation/"
    private static let cut: Comment = "Content that is cut off is an unknown error."
    private static let severed =
        apple + "urlerror/networkconnectionlost: a connection severed in the middle of a load"
    private static let unretried: Comment =
        "A connection that ends without a response is an unknown error, after which none is made."
    private static let untold: Comment = "The delegate is never told of metrics."
    private static let metrics =
        apple
        + "urlsessiontaskdelegate/urlsession(_:task:didfinishcollecting:): the delegate is told"

    private static let processes = [
        "a hostile response ends in what it deserves", "nothing of a refused response is stored",
        "after all hostile responses, in any order, a good one is as good",
    ].map {
        FoundationNetworkingFault(
            $0, .isLeftOut, "Some end the process: HostileProcessTests tries each in its own.",
            anyResponse)
    }

    private static let exchanges = [
        FoundationNetworkingFault(
            "redirects, cookies and challenges come back as they are", .isLeftOut,
            "A 401 with a challenge never comes to its end where nobody has a credential.",
            apple
                + "urlsession/authchallengedisposition/performdefaulthandling: as if there were no delegate"
        ),
        FoundationNetworkingFault(
            "a server that speaks no TLS fails a secure connection", .fails,
            "A handshake that fails is an unknown error.",
            apple
                + "urlerror/secureconnectionfailed: an attempt to establish a secure connection failed"
        ),
        FoundationNetworkingFault(
            "a server may answer in whole without reading the content", .mayFail,
            "Where the server hangs up, its whole response is lost.",
            apple + "urlsessiontask/response: the server's response, as received"),
        FoundationNetworkingFault(
            "a method that is meant to have content says that it has none", .fails,
            "DELETE without content says that it has none of a length, as if it were meant to have some.",
            apple + "urlrequest/httpbody: nil sends no body"),
        FoundationNetworkingFault(
            "attempts may have a bound, behind which their error is thrown", .isLeftOut, unretried,
            severed),
        FoundationNetworkingFault(
            "connections that bring nothing are made later and later", .isLeftOut, unretried,
            severed),
        FoundationNetworkingFault("a response that is cut stores nothing", .mayFail, cut, severed),
        FoundationNetworkingFault(
            "a retry goes on where the one before has ended", .fails, cut, severed),
        FoundationNetworkingFault("what comes anew is counted anew", .fails, cut, severed),
        FoundationNetworkingFault(
            "stopping ends what a connection waits for", .fails,
            "A connection that ends before the response is an unknown error.", severed),
    ]

    private static let streams = [
        FoundationNetworkingFault(
            "content that is cut off ends in an error", .fails, cut, severed),
        FoundationNetworkingFault(
            "gzip is decoded as it comes, and its end checked", .mayFail,
            "Content whose coding is cut off is taken for whole.",
            apple + "urlerror/cannotdecodecontentdata: content that cannot be decoded is an error"),
        FoundationNetworkingFault(
            "a server has to wait for who does not read, and then sends the rest", .fails,
            "A task that is suspended goes on receiving.", suspended),
        FoundationNetworkingFault(
            "cancelling while the server waits ends the connection", .mayFail,
            "A task that is suspended goes on receiving.", suspended),
        FoundationNetworkingFault(
            "20 streams hold up no other requests", .isLeftOut,
            "Tasks that are suspended hold up others, or are never resumed.", suspended),
    ]
    private static let suspended =
        apple + "urlsessiontask/suspend(): a suspended task produces no network traffic"

    private static let timings = [
        FoundationNetworkingFault(
            "nothing is taken where nobody wants it", .fails, untold, metrics),
        FoundationNetworkingFault(
            "a connection is made once, and each phase is a part of the whole", .fails, untold,
            metrics),
        FoundationNetworkingFault(
            "events have the times of the last exchange, and of the store", .fails, untold,
            metrics),
    ]

    private static let ending = [
        "a status line only",
        "an interim response cut short",
        "the largest length",
        "trailer fields",
        "trailers that lie",
    ].map { FoundationNetworkingFault($0, .fails, "It ends the process.", anyResponse) }

    private static let codings = [
        "a folded content coding",
        "gzip without its last byte",
        "gzip without its trailer",
    ].map {
        FoundationNetworkingFault(
            $0, .mayFail,
            "Codings that are damaged, cut off or unknown are taken, or an unknown error.",
            anyResponse)
    }

    private static let framings = [
        "a length beside the identity",
        "a list of equal lengths",
    ].map {
        FoundationNetworkingFault(
            $0, .mayFail, "What is cut off or framed otherwise is taken, or an unknown error.",
            anyResponse)
    }

    private static let heads = [
        "5,000 fields",
        "a line break of its own kind",
        "a lone CR in a value",
    ].map {
        FoundationNetworkingFault(
            $0, .mayFail, "A head that breaks the rules is taken, or an unknown error.", anyResponse
        )
    }

    private static let hostileResponses = ending + codings + framings + heads

    private static let anyResponse =
        apple + "urlerror/cannotparseresponse: what cannot be parsed is an error"
}
#else
extension FoundationNetworkingFault {
    /// None, as it is not the transport.
    static let all: [FoundationNetworkingFault] = []
}
#endif
