public import LarderPromises

/// Whether a request is answered by the server, or by the store's objects that it brought before.
///
/// ```swift
/// configuration.fetchPolicy = .networkFirst(within: .seconds(3))
///
/// struct Countries: Endpoint {
///     let path = "countries"
///     var fetchPolicy: FetchPolicy { .fresh(for: .seconds(86_400)) }
/// }
///
/// client.fetching(.networkOnly).enqueue(Countries(), as: [Country].self)
/// ```
///
/// Where a policy lets the store answer, it is noted in the transaction of each response to GET which objects that
/// has brought, in which order, and what else of it makes its value. Such an answer is made of the objects as they are by
/// then: without those that are gone, and with what others have brought since. The server is asked whether a response
/// that has a validator is still good, and need not send it again while the store has what that says; by the client's
/// ``ResponseCache`` where it has one.
///
/// That is so for what is stored: entities, `Many`, `One`, `LossyList`, arrays and optionals of them, and wrappers, which
/// need the rest of their JSON for it. Of a response with `no-store` nothing is kept but which objects it has brought.
/// What was kept by another model of the store's, or read by other ``Client/Configuration/decodingOptions``, is good no
/// more, and still there where the server is not.
/// What is not stored is a ``ResponseCache``'s.
///
/// Each says what it has to say and leaves the rest to those around it: a call's to the endpoint's, that to the
/// client's.
public struct FetchPolicy: Sendable, Hashable {
    /// Who answers.
    enum Asking: Sendable, Hashable {
        case network
        case networkFirst(within: Duration?)
        case storeFirst
        case storeOnly
        case fresh(Duration)
    }

    private(set) var asking: Asking?
    /// Whether what the store can answer by is kept.
    private(set) var isKeeping: Bool?

    private init(_ asking: Asking? = nil, keeps: Bool? = nil) {
        (self.asking, isKeeping) = (asking, keeps)
    }

    /// That of the endpoint, or of the client.
    public static let clientDefault = FetchPolicy()

    /// Asks the server, and keeps nothing by which the store could answer.
    public static let none = FetchPolicy(.network, keeps: false)

    /// Asks the server in any case, and fails where that does; where another policy around it keeps what the store
    /// can answer by, so does this one.
    public static let networkOnly = FetchPolicy(.network)

    /// Asks the server; where that can't be reached, or fails with 500, 502, 503 or 504, the store answers.
    ///
    /// A response that is more than the client takes, or in a coding that it does not know, is the error that it is.
    ///
    /// - Parameter time: The time after which the store answers, if it can, and what the server says is still
    ///   stored; however long that takes unless given.
    public static func networkFirst(within time: Duration? = nil) -> FetchPolicy {
        FetchPolicy(.networkFirst(within: time), keeps: true)
    }

    /// Has the store answer, and asks the server only where that can't, or was told that it is not to by
    /// ``Client/invalidate(_:)-(Endpoint)``.
    public static let storeFirst = FetchPolicy(.storeFirst, keeps: true)

    /// Has the store answer, and asks nobody: where it can't, the promise is rejected with
    /// ``ClientError/Reason/notCached``.
    public static let storeOnly = FetchPolicy(.storeOnly)

    /// Has the store answer for a time after the server has, and is ``networkFirst(within:)`` then.
    public static func fresh(for time: Duration) -> FetchPolicy {
        FetchPolicy(.fresh(time), keeps: true)
    }

    /// What it says, and what others say where it says nothing.
    func completed(by other: FetchPolicy) -> FetchPolicy {
        FetchPolicy(asking ?? other.asking, keeps: isKeeping ?? other.isKeeping)
    }

    /// Whether there is more to it than to ask the server.
    var isOn: Bool { isKeeping == true || asking == .storeOnly }

    /// Whether the store answers where the server does not.
    var fallsBack: Bool {
        switch asking {
        case .networkFirst, .storeFirst, .fresh: true
        case .network, .storeOnly, nil: false
        }
    }

    /// The time that the server has before the store answers.
    var deadline: Duration? {
        if case .networkFirst(let time) = asking { time } else { nil }
    }
}

extension Client {
    /// Creates a client of the same API and the same store with another policy of who answers, such as for one call.
    ///
    /// ```swift
    /// client.fetching(.storeOnly).enqueue(Countries(), as: [Country].self)
    /// ```
    ///
    /// What it says replaces what endpoints say; what it does not say stays theirs.
    public func fetching(_ policy: FetchPolicy) -> Client {
        configured {
            $0.overridingFetchPolicy = policy.completed(by: $0.overridingFetchPolicy)
        }
    }

    /// Enqueues a request twice: first for what the store has, which asks nobody, and once that is there, or is
    /// known not to be, for what the server says.
    ///
    /// ```swift
    /// for try await (issues, source) in client.storeThenNetwork(of: { $0.enqueue(Issues(), as: [Issue].self) }) {
    ///     show(issues, isFinal: source == .network)
    /// }
    /// ```
    ///
    /// The endpoint's policy, or the client's, has to be one by which anything is kept.
    ///
    /// - Parameter enqueue: Enqueues with the client that it is given.
    public func storeThenNetwork<Value: Sendable>(
        of enqueue: @escaping @Sendable (Client) -> Promise<Value>
    ) -> CacheThenNetwork<Value> {
        let client = inSession()
        return CacheThenNetwork(
            asking: client.fetching(.storeOnly),
            then: client.fetching(.networkOnly).caching(.serverAlone), from: .store, enqueue)
    }
}

extension Client {
    /// Whether an endpoint's policies, the store's or the cache's, have nobody be asked.
    func asksNobody(for endpoint: any Endpoint) -> Bool {
        configuration.fetchPolicy(of: endpoint).asking == .storeOnly
            || cachePolicy(of: endpoint).asking == .never
    }
}

extension Client.Configuration {
    /// The policy of an endpoint's requests, with all that it says.
    func fetchPolicy(of endpoint: any Endpoint) -> FetchPolicy {
        overridingFetchPolicy.completed(by: endpoint.fetchPolicy).completed(by: fetchPolicy)
    }
}
