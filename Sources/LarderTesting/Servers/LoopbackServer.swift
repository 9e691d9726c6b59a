import FlyingFox
import FlyingSocks
public import Foundation
public import HTTPTypes
import LarderPromises

/// An HTTP server on 127.0.0.1, in the process of the test.
///
/// ```swift
/// let server = try await LoopbackServer()
/// server.route(.get, "/users/:id") { request in
///     .json(#"{"id": \#(request.parameters["id"] ?? "0"), "login": "ann"}"#)
/// }
/// let client = Client(baseURL: server.baseURL, store: store)
/// …
/// await server.stop()
/// ```
///
/// It takes any free port, keeps connections alive, and records what it was sent. A handler that takes
/// longer than ten minutes or throws is answered with 500, a path without a route with 404.
public final class LoopbackServer: Sendable {
    /// Answers one request.
    public typealias Handler = @Sendable (Request) async throws -> Response

    private struct State {
        var routes: [Route] = []
        var requests: [Request] = []
    }

    /// The server's URL, which ends in a slash.
    public let baseURL: URL

    /// The port it listens on.
    public let port: Int

    private let state: Shared<State>
    private let server: HTTPServer
    private let task: Task<Void, Never>

    /// Starts a server without routes.
    public convenience init() async throws {
        try await self.init(routes: [])
    }

    /// Starts a server that answers every request with `handler`.
    public convenience init(_ handler: @escaping Handler) async throws {
        try await self.init(routes: [Route(method: nil, pattern: "*", handler: handler)])
    }

    private init(routes: [Route]) async throws {
        let state = Shared(State(routes: routes))
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0),
            timeout: 600,
            logger: .disabled,
            handler: ClosureHTTPHandler { try await Self.answer($0, from: state) })
        let task = Task { _ = try? await server.run() }
        // Long enough for a machine whose threads are all busy with other tests.
        try await server.waitUntilListening(timeout: 600)
        guard case .ip4(_, let port)? = await server.listeningAddress,
            let baseURL = URL(string: "http://127.0.0.1:\(port)/")
        else {
            task.cancel()
            throw SocketError.unsupportedAddress
        }
        self.state = state
        self.server = server
        self.task = task
        self.port = Int(port)
        self.baseURL = baseURL
    }

    deinit {
        task.cancel()
    }

    /// Answers requests for a path with `handler`; later routes take precedence over earlier ones.
    ///
    /// A segment such as `:id` matches any one segment, which the handler finds in
    /// ``Request/parameters``; `*` or `**` at the end matches any rest. Other segments may be written decoded or
    /// as they are sent. A nil method matches all that the server knows: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS,
    /// TRACE and CONNECT. What has another one is answered with 404, and recorded nowhere.
    public func route(
        _ method: HTTPTypes.HTTPRequest.Method? = nil, _ pattern: String,
        _ handler: @escaping Handler
    ) {
        state.value.withLock {
            $0.routes.insert(Route(method: method, pattern: pattern, handler: handler), at: 0)
        }
    }

    /// Answers requests for a path with the same response each time.
    public func route(
        _ method: HTTPTypes.HTTPRequest.Method? = nil, _ pattern: String, _ response: Response
    ) {
        route(method, pattern) { _ in response }
    }

    /// The requests so far, in the order of their arrival.
    public var requests: [Request] {
        state.value.withLock(\.requests)
    }

    /// Closes the port and every connection; nothing answers afterwards.
    ///
    /// It waits for the handlers that are at work. In a handler it comes back at once, as it would wait
    /// for itself.
    public func stop() async {
        if Self.handling == ObjectIdentifier(state) {
            Task { [server, task] in
                await server.stop(timeout: 0)
                task.cancel()
            }
            return
        }
        await server.stop(timeout: 0)
        task.cancel()
        await task.value
    }

    private static func answer(
        _ incoming: FlyingFox.HTTPRequest, from state: Shared<State>
    ) async throws -> FlyingFox.HTTPResponse {
        var request = try await Request(incoming)
        let found = state.value.withLock { state in
            for route in state.routes {
                guard let parameters = route.parameters(of: request) else { continue }
                request.parameters = parameters
                state.requests.append(request)
                return route.handler as Handler?
            }
            state.requests.append(request)
            return nil
        }
        guard let handler = found else {
            return Response(status: .notFound).outgoing(to: request)
        }
        let response = try await $handling.withValue(ObjectIdentifier(state)) {
            try await handler(request)
        }
        return response.outgoing(to: request)
    }

    /// The server whose handler the task runs.
    @TaskLocal private static var handling: ObjectIdentifier?
}

/// Lets a lock be captured by a handler before the server exists that owns it.
private final class Shared<Value: Sendable>: Sendable {
    let value: Guarded<Value>

    init(_ value: Value) {
        self.value = Guarded(value)
    }
}

/// A method, a pattern of path segments, and who answers.
private struct Route: Sendable {
    let method: HTTPTypes.HTTPRequest.Method?
    let pattern: String
    let handler: LoopbackServer.Handler

    /// The values of the pattern's named segments, or nil if the request is for another route.
    func parameters(of request: LoopbackServer.Request) -> [String: String]? {
        guard method == nil || method == request.method else { return nil }
        var parameters: [String: String] = [:]
        var segments = request.path.split(separator: "/")[...]
        for expected in pattern.split(separator: "/") {
            if expected == "*" || expected == "**" { return parameters }
            guard let segment = segments.popFirst() else { return nil }
            if expected.hasPrefix(":") {
                parameters[String(expected.dropFirst())] =
                    segment.removingPercentEncoding ?? String(segment)
            } else if expected != segment, String(expected) != segment.removingPercentEncoding {
                return nil
            }
        }
        return segments.isEmpty ? parameters : nil
    }
}
