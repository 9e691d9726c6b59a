public import LarderPromises

/// The rules by which a response is kept and used again, of a client, an endpoint or a call.
///
/// ```swift
/// configuration.cache = ResponseCache(in: store)
///
/// struct Countries: Endpoint {
///     let path = "countries"
///     var cachePolicy: CachePolicy { .disk(for: .seconds(86_400)) }
/// }
///
/// client.caching(.reload).enqueue(Countries(), as: Many<Country>.self)
/// ```
///
/// Without a ``Client/Configuration/cache`` nothing is kept, and none of them does anything but ``cachedOnly``, which
/// asks nobody all the same. Each says what it has to say and leaves the
/// rest to those around it: a call's to the endpoint's, that to the client's.
///
/// Whatever the policy, a response with `no-store` is not kept, and one to a request with credentials is for these
/// alone.
public struct CachePolicy: Sendable, Hashable {
    /// What is kept, and for how long it is good.
    enum Mode: Sendable, Hashable {
        case off, http
        case memory(Duration)
        case disk(Duration)
    }

    /// Whether the server is asked.
    enum Asking: Sendable, Hashable {
        case unlessFresh, always, never
        /// As ``always``, and what is kept takes the place of no failure.
        case alone
    }

    private(set) var mode: Mode?
    private(set) var asking: Asking?
    /// The time for which what is fresh no more is good enough where the server can't be asked.
    private(set) var patience: Duration?

    private init(_ mode: Mode? = nil, _ asking: Asking? = nil) {
        (self.mode, self.asking) = (mode, asking)
    }

    /// That of the endpoint, or of the client.
    public static let clientDefault = CachePolicy()

    /// Keeps nothing and uses nothing that is kept.
    public static let none = CachePolicy(.off)

    /// Keeps and uses what the responses' header fields allow, as a private cache does by RFC 9111 and RFC 5861.
    public static let http = CachePolicy(.http)

    /// Keeps responses with a status of 2xx to GET in memory, where they are good for a time, whatever their header
    /// fields say of that.
    public static func memory(for time: Duration) -> CachePolicy { CachePolicy(.memory(time)) }

    /// Keeps responses with a status of 2xx to GET in the cache's file, where they are good for a time, whatever
    /// their header fields say of that.
    public static func disk(for time: Duration) -> CachePolicy { CachePolicy(.disk(time)) }

    /// Asks the server in any case, for what is kept on the condition that it has changed, and keeps what comes.
    public static let reload = CachePolicy(nil, .always)

    /// The same, where what is kept takes the place of no failure, as it is known already.
    static let serverAlone = CachePolicy(nil, .alone)

    /// Uses what is kept and is good, and asks nobody: where there is nothing, the promise is rejected with
    /// ``ClientError/Reason/notCached``.
    public static let cachedOnly = CachePolicy(nil, .never)

    /// The same, by which what is good no more is used, for so long, where the server can't be reached, fails with
    /// 500, 502, 503 or 504, or is not to be asked; of ``http`` unless the response forbids it by
    /// `must-revalidate` or `no-cache`.
    public func servingStale(for time: Duration) -> CachePolicy {
        var policy = self
        policy.patience = time
        return policy
    }

    /// What it says, and what others say where it says nothing.
    func completed(by other: CachePolicy) -> CachePolicy {
        var policy = self
        policy.mode = mode ?? other.mode
        policy.asking = asking ?? other.asking
        policy.patience = patience ?? other.patience
        return policy
    }

    /// The seconds for which whatever has come is good.
    var time: Double? {
        switch mode {
        case .memory(let time), .disk(let time): time.seconds
        case .off, .http, nil: nil
        }
    }

    /// Whether the server is asked whatever is kept.
    var asksAlways: Bool { asking == .always || asking == .alone }

    /// Whether it keeps anything.
    var isOn: Bool { mode != .off }
}

extension Duration {
    /// The seconds, with what is less than one.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

extension Client {
    /// Creates a client of the same API and the same store with another policy of the cache, such as for one call.
    ///
    /// ```swift
    /// client.caching(.reload).enqueue(Countries(), as: Many<Country>.self)
    /// ```
    ///
    /// What it says replaces what endpoints say; what it does not say stays theirs.
    public func caching(_ policy: CachePolicy) -> Client {
        configured {
            $0.overridingCachePolicy = policy.completed(by: $0.overridingCachePolicy)
        }
    }

    /// Removes what is kept of an endpoint's resource, for whichever account and in whichever variant.
    ///
    /// It asks for the request as the endpoint builds it; what interceptors add is not looked at.
    @discardableResult
    public func flushCache(of endpoint: some Endpoint) -> Promise<Void> {
        guard let cache = configuration.cache else { return .fulfilled(()) }
        do {
            let request = try endpoint.request(baseURL: base.get().url)
            return cache.flush(resourceOf: request, configuration.redaction)
        } catch {
            return .rejected(error)
        }
    }
}

extension Client {
    /// The policy of an endpoint's requests, with all that it says.
    func cachePolicy(of endpoint: any Endpoint) -> CachePolicy {
        configuration.overridingCachePolicy.completed(by: endpoint.cachePolicy)
            .completed(by: configuration.cachePolicy)
    }
}
