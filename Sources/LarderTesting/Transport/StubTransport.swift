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
///
/// It keeps a request's timeout and limits as a real one does. With a clock that the test moves, such
/// as `ManualClock`, a timeout needs no waiting.
public final class StubTransport: Transport {
    /// Answers one request, or throws to let the exchange fail.
    ///
    /// The exchange fails with a `TransportError` as it is thrown, as cancelled with a
    /// `CancellationError`, and with any other error as ``TransportError/Reason/other``, in its words.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
        var cancellations = 0
    }

    /// What will answer a request.
    typealias Answer = @Sendable () async throws -> TransportResponse

    private let choose: @Sendable (TransportRequest) -> Answer
    private let clock: any Clock<Duration>
    private let state = Guarded(State())

    /// Creates a transport that answers as `handler` says.
    ///
    /// A handler that waits at a ``Gate`` holds the exchange until the test opens it. An exchange that
    /// is cancelled or timed out does not wait for the handler, whose task is cancelled.
    public convenience init(
        clock: any Clock<Duration> = ContinuousClock(), _ handler: @escaping Handler
    ) {
        self.init(clock: clock, choosing: { request in { try await handler(request) } })
    }

    /// Creates a transport whose answers are chosen when requests are sent, and so in their order.
    init(
        clock: any Clock<Duration>,
        choosing choose: @escaping @Sendable (TransportRequest) -> Answer
    ) {
        self.choose = choose
        self.clock = clock
    }

    /// Creates a transport that gives the same answer to everything.
    public convenience init(_ response: TransportResponse) {
        self.init { _ in response }
    }

    /// The requests sent so far.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// The number of exchanges cancelled before they had ended.
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
        let (answer, clock) = (choose(request), clock)
        exchange.run {
            do {
                let response = try await answer()
                try (request.limits ?? TransportLimits()).check(response)
                exchange.end(.success(response))
            } catch let error as TransportError {
                exchange.end(.failure(error))
            } catch is CancellationError {
                exchange.end(.failure(.cancelled))
            } catch {
                exchange.end(.failure(TransportError(.other, "\(error)")))
            }
        }
        exchange.run {
            let timeout = request.timeout ?? .seconds(60)
            try await clock.sleep(for: timeout.sleepable)
            exchange.end(
                .failure(TransportError(.timedOut, "The exchange took longer than \(timeout).")))
        }
        return exchange
    }
}

/// Sees to it that an exchange ends once, whether answered, timed out or cancelled first.
private final class StubExchange: TransportTask {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct State {
        var completion: Completion?
        var tasks: [Task<Void, any Error>] = []
    }

    private let state: Guarded<State>
    private let onCancel: @Sendable () -> Void

    init(_ completion: @escaping Completion, onCancel: @escaping @Sendable () -> Void) {
        state = Guarded(State(completion: completion))
        self.onCancel = onCancel
    }

    /// Runs a part of the exchange, which is cancelled when it ends.
    func run(_ part: @escaping @Sendable () async throws -> Void) {
        let task = Task { try await part() }
        let isOver = state.withLock { state in
            state.tasks.append(task)
            return state.completion == nil
        }
        if isOver { task.cancel() }
    }

    func end(_ result: Result<TransportResponse, TransportError>) {
        take()?(result)
    }

    func cancel() {
        guard let completion = take() else { return }
        // Counted before the completion runs, so that whoever waits for that sees the count.
        onCancel()
        completion(.failure(.cancelled))
    }

    private func take() -> Completion? {
        let (completion, tasks) = state.withLock { state in
            defer { state = State() }
            return (state.completion, state.tasks)
        }
        for task in tasks { task.cancel() }
        return completion
    }
}

extension TransportError {
    fileprivate static var cancelled: TransportError {
        TransportError(.cancelled, "The exchange was cancelled.")
    }
}

extension TransportLimits {
    /// Refuses a response that weighs more than allowed.
    fileprivate func check(_ response: TransportResponse) throws(TransportError) {
        let fields = response.head.headerFields
        let bytes = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        if fields.count > maximumHeaderFieldCount || bytes > maximumHeaderSize {
            throw TransportError(.limitExceeded, "The header fields exceed the limits.")
        }
        if response.body.count > maximumBodySize {
            throw TransportError(.limitExceeded, "The content exceeds \(maximumBodySize) bytes.")
        }
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
