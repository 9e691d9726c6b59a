import Foundation
public import HTTPTypes
public import LarderObjectStore
public import Logging

extension Client {
    /// The settings for sending requests and reading responses.
    public struct Configuration: Sendable {
        /// The transport of exchanges; libcurl on Linux, URLSession on Apple's systems unless set.
        ///
        /// Clients that are given none share one, with its thread, its connections and its bound on
        /// exchanges at once, for as long as one of them lives. A client that must not wait for the
        /// others' requests is given one of its own.
        public var transport: any Transport {
            // Over another one, the same request is another one.
            didSet { exchangesInFlight = ExchangesInFlight() }
        }

        /// The clock by which responses wait for others that are read before they are stored, and the store for
        /// the server; set by tests.
        var importClock: (any Clock<Duration>)?

        /// The exchanges that identical requests may join.
        var exchangesInFlight = ExchangesInFlight()

        /// What knows of the writes between two requests.
        var writes = WriteCounter()

        /// The sessions that all requests are of, such as those of one walk; each has its own unless set.
        var admissions: Admissions?

        /// Header fields of every request; an endpoint's own replace them by name.
        ///
        /// To another origin than the base URL's only ``sharedHeaderFields`` go along.
        public var headerFields: HTTPFields

        /// The names of those ``headerFields`` that go to other origins too, where an endpoint
        /// names one; `Accept`, `Accept-Language` and `User-Agent` unless set.
        public var sharedHeaderFields: Set<HTTPField.Name> = [
            .accept, .acceptLanguage, .userAgent,
        ]

        /// The interceptors of each request and its response; the first is the outermost.
        public var interceptors: [any Interceptor]

        /// The rules by which redirects are followed; up to ten unless set.
        public var redirects = RedirectPolicy.follow

        /// The limits on requests under way at once, and those that wait for their turn; none unless set.
        public var queue: RequestQueue?

        /// The priority of requests in the ``queue``, instead of their endpoints'; nil unless set.
        public var priority: RequestPriority?

        /// Whether requests are among the client's ``Client/requestsInFlight``, and can be cancelled there;
        /// true unless set.
        public var tracksRequests = true

        /// The policy for requests that are identical to one in flight; each is sent by itself unless set.
        ///
        /// In flight are those of the client and of all made of it by ``Client/configured(_:)``, as they have one
        /// session. An endpoint's own policy replaces it.
        public var coalescing = Coalescing.separate

        /// The jar that takes servers' cookies and gives them to requests; none unless set.
        public var cookies: CookieJar?

        /// The cache of responses; none unless set.
        public var cache: ResponseCache?

        /// The rules by which the ``cache`` is used; those of ``CachePolicy/http`` unless set.
        ///
        /// What an endpoint's own policy says replaces it, and what ``Client/caching(_:)`` says replaces both.
        public var cachePolicy = CachePolicy.http

        /// What takes the place of endpoints' policies.
        var overridingCachePolicy = CachePolicy.clientDefault

        /// The rules by which the store answers in place of the server; ``FetchPolicy/networkOnly`` unless set.
        ///
        /// What an endpoint's own policy says replaces it, and what ``Client/fetching(_:)`` says replaces both.
        public var fetchPolicy = FetchPolicy.clientDefault

        /// What takes the place of endpoints' policies.
        var overridingFetchPolicy = FetchPolicy.clientDefault

        /// The name of whoever is logged in; what the store answers by that one has fetched is not used for another.
        ///
        /// Without it the credentials that a request is built with tell them apart, those that an interceptor adds do
        /// not: what came by one of an ``AuthorizationInterceptor`` goes where that logs somebody else in, or out. Those of a
        /// ``CookieJar`` don't tell them apart either, and nothing goes where they change: where they say who somebody is,
        /// an account has to. None unless set.
        public var account: String?

        /// The time, by a clock on the wall; set by tests.
        var now: @Sendable () -> Date = { Date() }

        /// Those who are told the progress of requests.
        var progressReports: [@Sendable (TransferProgress) -> Void] = []

        /// The validators that accept or refuse responses, in order, once the interceptors are through
        /// with them; ``Validator/status(_:)`` of 200 to 299 unless set.
        public var validators: [Validator]

        /// The processors that rewrite accepted responses, in order.
        public var processors: [ResponseProcessor]

        /// The processors of the promises that are handed out, in order; none unless set.
        public var promiseProcessors: [any PromiseProcessor] = []

        /// The type of the API's error responses, which ``ClientError/details`` are of; none unless set.
        public var errorBody: ErrorBody?

        /// The reader that makes a JSON document of a response; ``JSONReader`` unless set.
        public var documentReader: any DocumentReader

        /// The options for `Decodable` responses, errors' included, and for parts of wrappers that are not stored.
        public var decodingOptions: DecodingOptions

        /// The time that an exchange may take; 60 seconds unless set.
        ///
        /// It counts from when the transport begins with the exchange. What comes before, such as
        /// interceptors, and a transport that has as many exchanges under way as it may, does not
        /// count, so that many requests enqueued at once don't time out while they wait for each
        /// other; time in the client's ``queue`` does. What follows the first exchange, such as redirects and what is sent again with another
        /// credential, shares one such time with it. For a bound on all of it, give the promise a
        /// `timeout(after:)`, which cancels the request.
        public var timeout: Duration

        /// The time for which nothing may move in an exchange, in whole seconds; any within ``timeout``
        /// unless set.
        ///
        /// With one, ``timeout`` may be long: what is large is not cut off on its way, and what hangs is.
        public var idleTimeout: Duration?

        /// The limits on the size of a response.
        public var limits: TransportLimits

        /// The rules that keep secrets out of errors and logs.
        public var redaction: Redaction

        /// Receives a line for each request and response at level debug, and their header fields and the
        /// beginning of their content at level trace, without what ``redaction`` names.
        ///
        /// None are written unless set; what is likely to be a mistake is said at level warning or
        /// error then to a logger named `larder.client`.
        public var logger: Logger?

        /// Creates a configuration.
        public init(
            transport: (any Transport)? = nil,
            headerFields: HTTPFields = [.accept: "application/json", .userAgent: "Larder"],
            interceptors: [any Interceptor] = [],
            validators: [Validator] = [.status(200..<300)],
            processors: [ResponseProcessor] = [],
            documentReader: any DocumentReader = JSONReader(),
            decodingOptions: DecodingOptions = DecodingOptions(),
            timeout: Duration = .seconds(60),
            limits: TransportLimits = TransportLimits(),
            redaction: Redaction = Redaction(),
            logger: Logger? = nil
        ) {
            self.transport = transport ?? SharedTransport.current
            self.headerFields = headerFields
            self.interceptors = interceptors
            self.validators = validators
            self.processors = processors
            self.documentReader = documentReader
            self.decodingOptions = decodingOptions
            self.timeout = timeout
            self.limits = limits
            self.redaction = redaction
            self.logger = logger
        }
    }
}

extension Client.Configuration: CustomReflectable {
    /// What requests are sent by and with, without what ``redaction`` names.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "transport": "\(type(of: transport))", "headerFields": redaction.line(headerFields),
                "interceptors": interceptors.map { "\(type(of: $0))" }, "timeout": timeout,
            ],
            displayStyle: .struct)
    }
}
