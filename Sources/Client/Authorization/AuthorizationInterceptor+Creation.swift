public import Foundation
public import LarderPromises

extension AuthorizationInterceptor {
    /// Creates an interceptor of a credential that nobody refreshes: basic, or a key.
    ///
    /// - Parameters:
    ///   - credential: The credential, or nil where nobody is logged in; nil unless given.
    ///   - origins: The origins that the credential is for, such as `https://api.example.com`; nil stands for
    ///     that of the base URL of each client that has the interceptor. One with a wildcard is none.
    public convenience init(_ credential: Credential? = nil, origins: [String]? = nil) {
        // It has no `onChange`: a closure that is to refresh, and returns something else, would be taken for it.
        self.init(
            AuthorizationState(credential), origins: origins, statuses: [],
            clock: ContinuousClock(), date: { Date() }, onChange: nil, refreshing: nil)
    }

    /// Creates an interceptor of a credential that a promise replaces.
    ///
    /// - Parameters:
    ///   - credential: The credential, or nil where nobody is logged in.
    ///   - origins: The origins that the credential is for, such as `https://api.example.com`; nil stands for
    ///     that of the base URL of each client that has the interceptor. One with a wildcard is none.
    ///   - statuses: The statuses by which servers refuse a credential.
    ///   - clock: The clock by which requests wait for a refresh.
    ///   - date: The time of day, which `Credential.expires` is compared with.
    ///   - onChange: Is told of each credential that is new, and of a log-out with nil: in order, on any
    ///     thread, and of a refresh before those who have waited for it are sent with it, unless it is still to be
    ///     told of a change before that. Requests that are made while it is at work, be they its own, are sent with
    ///     the new one at once. Of the end of a session it is told once what goes with that has gone from
    ///     the store, or could not: who is killed before starts with the credential and with what it has brought.
    ///     Where it waits for the main thread, a log-out that is waited for on that thread never ends.
    ///   - refreshing: Returns what replaces a credential that was refused or has expired.
    public convenience init(
        _ credential: Credential?, origins: [String]? = nil, statuses: StatusCodes = [401],
        clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() },
        onChange: (@Sendable (Credential?) -> Void)? = nil,
        refreshing: @escaping @Sendable (Credential) -> Promise<Credential>
    ) {
        self.init(
            AuthorizationState(credential), origins: origins, statuses: statuses, clock: clock,
            date: date, onChange: onChange
        ) { old in
            // Of nothing there is no refresh.
            old.map(refreshing) ?? .rejected(ClientError(.loggedOut))
        }
    }

    /// Creates an interceptor of a credential that async code replaces.
    ///
    /// The parameters are those of the initialiser for promises.
    public convenience init(
        _ credential: Credential?, origins: [String]? = nil, statuses: StatusCodes = [401],
        clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() },
        onChange: (@Sendable (Credential?) -> Void)? = nil,
        refreshing: @escaping @Sendable (Credential) async throws -> Credential
    ) {
        self.init(
            credential, origins: origins, statuses: statuses, clock: clock, date: date,
            onChange: onChange
        ) { old in Promise { try await refreshing(old) } }
    }

    /// Creates an interceptor that has a promise provide each credential, the first before the first
    /// request.
    ///
    /// The other parameters are those of the initialiser with a credential.
    ///
    /// - Parameter provider: Returns a credential, in place of the one that was refused or has expired, or
    ///   nil at first.
    public convenience init(
        origins: [String]? = nil, statuses: StatusCodes = [401],
        clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() },
        onChange: (@Sendable (Credential?) -> Void)? = nil,
        provider: @escaping @Sendable (Credential?) -> Promise<Credential>
    ) {
        self.init(
            .unasked, origins: origins, statuses: statuses, clock: clock, date: date,
            onChange: onChange, refreshing: provider)
    }

    /// Creates an interceptor that has async code provide each credential, the first before the first
    /// request.
    ///
    /// The parameters are those of the initialiser for promises.
    public convenience init(
        origins: [String]? = nil, statuses: StatusCodes = [401],
        clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() },
        onChange: (@Sendable (Credential?) -> Void)? = nil,
        provider: @escaping @Sendable (Credential?) async throws -> Credential
    ) {
        self.init(
            origins: origins, statuses: statuses, clock: clock, date: date, onChange: onChange
        ) { old in Promise { try await provider(old) } }
    }
}
