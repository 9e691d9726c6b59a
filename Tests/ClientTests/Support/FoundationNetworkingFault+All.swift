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
    private static let unanswered: Comment =
        "A connection that ends before the response is an unknown error."
    private static let untold: Comment = "The delegate is never told of metrics."
    private static let metrics =
        apple
        + "urlsessiontaskdelegate/urlsession(_:task:didfinishcollecting:): the delegate is told"

    private static let processes = [
        "a hostile response ends in what it deserves", "nothing of a refused response is stored",
        "after all hostile responses, in any order, a good one is as good",
    ].map {
        FoundationNetworkingFault(
            $0, .isLeftOut, "FoundationNetworkingProcessTests tries each in a process of its own.",
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
            "stopping ends what a connection waits for", .fails, unanswered, severed),
        FoundationNetworkingFault("or hangs up", .fails, unanswered, severed),
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
            "cancelling while the server waits ends the connection", .isLeftOut,
            "A task that is cancelled while it is suspended may keep its connection.", suspended),
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
        "a coding that only begins so",
        "a coding that only ends so",
        "a coding with a parameter",
        "a folded content coding",
        "a folded transfer coding",
        "a space behind a coding's name",
        "a transfer coding that nobody asked for",
        "a vertical tab before a coding",
        "an unknown transfer coding",
        "br in gzip that is none",
        "br with something behind",
        "br without its end",
        "gzip in six codings",
        "gzip in two members",
        "gzip that claims to be in gzip",
        "gzip with a line break behind",
        "gzip with a wrong checksum",
        "gzip with a wrong length",
        "gzip with something behind",
        "gzip with zeros behind",
        "gzip without its last byte",
        "gzip without its trailer",
        "half a gzip content",
        "half a gzip header",
        "half of br",
        "half of zstd",
        "text that claims to be br",
        "text that claims to be gzip",
        "text that claims to be zstd",
        "zstd in gzip that is none",
        "zstd with something behind",
        "zstd without its end",
    ].map {
        FoundationNetworkingFault(
            $0, .mayFail,
            "Codings that are damaged, cut off or unknown are taken, or an unknown error.",
            anyResponse)
    }

    private static let framings = [
        "100 without end",
        "a field that ends in LF",
        "a head without an end",
        "a last chunk without its end",
        "a length beside the identity",
        "a length that is too long",
        "a length, then chunks",
        "a list of equal lengths",
        "a negative size",
        "a second response in the trailers",
        "a size of 20 digits",
        "a size of 4 GiB",
        "a size of 63 bits",
        "a size of 64 bits",
        "a size of hexadecimal notation",
        "a size that is no number",
        "a size with a sign",
        "a trailer field without a colon",
        "a trailer of 100 KB",
        "chunks, then a length",
        "fields without an end",
        "half a chunk",
        "half a last chunk",
        "half a trailer",
        "interim fields without end",
        "no last chunk",
        "no size",
        "three bytes in a chunk of two",
        "trailers without end",
    ].map {
        FoundationNetworkingFault(
            $0, .mayFail, "What is cut off or framed otherwise is taken, or an unknown error.",
            anyResponse)
    }

    private static let heads = [
        "100 first",
        "101 unasked",
        "103 first",
        "5,000 fields",
        "HTTP/0.9",
        "a NUL in a name",
        "a NUL in a value",
        "a NUL in the status line",
        "a demand for credentials",
        "a field of 1 MB",
        "a field without a name",
        "a line break of its own kind",
        "a line break only",
        "a lone CR in a value",
        "a name outside ASCII",
        "a response in the fields",
        "a space before the colon",
        "a value outside ASCII",
        "a version of two digits",
        "a version without its space",
        "an SSH server",
        "an unknown version",
        "another protocol",
        "bytes at random",
        "no reason",
        "no status",
        "nothing at all",
        "status -200",
        "status 000",
        "status 099",
        "status 1000",
        "status 199",
        "status 2000000",
        "status 2x0",
        "status 99",
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
