import Foundation
public import HTTPTypes
public import LarderClient
import LarderPromises

/// A transport that answers from memory and records what it was asked.
///
/// ```swift
/// let transport = StubTransport { request in
///     .json(#"[{"id": 1}]"#)
/// }
/// var configuration = Client.Configuration()
/// configuration.transport = transport
/// ```
public final class StubTransport: Transport {
    /// Answers one request, or throws to let the exchange fail.
    public typealias Handler =
        @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
        var cancellations = 0
    }

    private let handler: Handler
    private let state = Guarded(State())

    /// Creates a transport that answers as `handler` says.
    ///
    /// A handler that waits at a ``Gate`` holds the exchange until the test opens it; cancelling the
    /// exchange does not wait for the handler.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// Creates a transport that gives the same answer to everything.
    public convenience init(_ response: TransportResponse) {
        self.init { _ in response }
    }

    /// What was sent so far.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// How many exchanges were cancelled before they had ended.
    public var cancellationCount: Int { state.withLock(\.cancellations) }

    /// Starts an exchange in a task of its own.
    @discardableResult
    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let exchange = StubExchange(completion) { self.state.withLock { $0.cancellations += 1 } }
        do throws(TransportError) {
            try request.validate()
        } catch {
            exchange.end(.failure(error))
            return exchange
        }
        state.withLock { $0.requests.append(request) }
        let handler = handler
        Task {
            do throws(TransportError) {
                exchange.end(.success(try await handler(request)))
            } catch {
                exchange.end(.failure(error))
            }
        }
        return exchange
    }
}

/// Sees to it that an exchange ends once, whether answered or cancelled first.
private final class StubExchange: TransportTask {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private let completion: Guarded<Completion?>
    private let onCancel: @Sendable () -> Void

    init(_ completion: @escaping Completion, onCancel: @escaping @Sendable () -> Void) {
        self.completion = Guarded(completion)
        self.onCancel = onCancel
    }

    @discardableResult
    func end(_ result: Result<TransportResponse, TransportError>) -> Bool {
        let completion = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        completion?(result)
        return completion != nil
    }

    func cancel() {
        // Counted before the completion runs, so that whoever waits for that sees the count.
        let completion = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        guard let completion else { return }
        onCancel()
        completion(.failure(TransportError(.cancelled, "The exchange was cancelled.")))
    }
}

extension TransportResponse {
    /// JSON text with status 200 unless another is given.
    public static func json(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headerFields: HTTPFields = [:]
    ) -> TransportResponse {
        var fields = headerFields
        if !fields.contains(.contentType) { fields[.contentType] = "application/json" }
        return TransportResponse(
            head: HTTPResponse(status: status, headerFields: fields), body: Data(text.utf8))
    }
}
