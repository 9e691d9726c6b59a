import Foundation
import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting

/// A client whose credential is replaced when the test says so, over a server that takes one token alone.
struct AuthorizationSetting {
    /// Takes the bearer token that is the number it accepts, 2 unless told otherwise.
    final class Server: Sendable {
        private let state = Guarded((accepted: 2, failures: 0))

        func accept(_ token: Int) {
            state.withLock { $0.accepted = token }
        }

        /// Answers the next requests with 503.
        func fail(next count: Int) {
            state.withLock { $0.failures = count }
        }

        func response(to request: TransportRequest) -> TransportResponse {
            let (accepted, isFailing) = state.withLock { state in
                let isFailing = state.failures > 0
                if isFailing { state.failures -= 1 }
                return (state.accepted, isFailing)
            }
            if isFailing { return .json("", status: .serviceUnavailable) }
            let isAccepted = request.head.headerFields[.authorization] == "Bearer \(accepted)"
            return .json("[]", status: isAccepted ? .ok : .unauthorized)
        }
    }

    typealias Refresh = (old: Credential?, resolver: Resolver<Credential>)

    static let now = Date(timeIntervalSince1970: 1_000_000_000)

    let server = Server()
    let clock = ManualClock()
    let transport: StubTransport
    let client: Client
    let authorization: AuthorizationInterceptor
    /// What was to be replaced.
    let olds = Seen<Credential?>()
    /// What was told of new credentials.
    let changes = Seen<Credential?>()

    private let begun: AsyncStream<Refresh>
    private let isSent: AsyncStream<Void>
    private let isKept: AsyncStream<Void>

    /// Requests for `/late` are answered once the gate is open, by what held when they came; the others are
    /// refused once so many are to be, as what comes after a refusal waits for the refresh and is not sent.
    init(
        credential: Credential? = .bearer("1"), late: Gate? = nil, refusals: Int = 1,
        isProvided: Bool = false,
        _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws {
        let (refused, areRefused) = (Seen<Void>(), Gate())
        let (begun, beginning) = AsyncStream<Refresh>.makeStream()
        let (isSent, sending) = AsyncStream<Void>.makeStream()
        let (isKept, keeping) = AsyncStream<Void>.makeStream()
        (self.begun, self.isSent, self.isKept) = (begun, isSent, isKept)
        transport = StubTransport { [server] request in
            let response = server.response(to: request)
            sending.yield()
            if request.head.path == "/late", let late {
                try await late.wait()
            } else if response.head.status == .unauthorized {
                refused.note(())
                if refused.count >= refusals { areRefused.open() }
                try await areRefused.wait()
            }
            return response
        }
        let refreshing: @Sendable (Credential?) -> Promise<Credential> = { [olds] old in
            let (promise, resolver) = Promise<Credential>.pending()
            olds.note(old)
            beginning.yield((old, resolver))
            return promise
        }
        let onChange: @Sendable (Credential?) -> Void = { [changes] change in
            changes.note(change)
            keeping.yield()
        }
        let authorization =
            isProvided
            ? AuthorizationInterceptor(
                clock: clock, date: { Self.now }, onChange: onChange, provider: refreshing)
            : AuthorizationInterceptor(
                credential, clock: clock, date: { Self.now }, onChange: onChange,
                refreshing: { refreshing($0) })
        self.authorization = authorization
        client = try TestClient.client(over: transport) {
            $0.interceptors = [authorization]
            configure(&$0)
        }
    }

    /// The tokens that went out, in order.
    var tokens: [String?] { transport.requests.map { $0.head.headerFields[.authorization] } }

    /// Waits for the next refresh.
    func nextRefresh() async throws -> Refresh {
        var iterator = begun.makeAsyncIterator()
        guard let next = await iterator.next() else { throw CancellationError() }
        return next
    }

    /// Waits for the next refresh, and gives it a token that the server takes.
    func refresh(to token: Int) async throws {
        let (_, resolver) = try await nextRefresh()
        server.accept(token)
        resolver.fulfill(.bearer("\(token)"))
    }

    /// Waits for that many more requests to have come.
    func sendings(_ count: Int) async {
        var iterator = isSent.makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }

    /// Waits for that many more changes to have been told.
    func kept(_ count: Int) async throws {
        var iterator = isKept.makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }
}

typealias Setting = AuthorizationSetting

/// An endpoint with content, of which the rest is the test's.
struct Asked: Endpoint {
    let path = "x"
    var method = HTTPRequest.Method.post
    var headerFields: HTTPFields = [:]
    var acceptedStatuses: StatusCodes?
    var needsAuthorization = true
    let body = RequestBody.data(Data("a".utf8))
}
