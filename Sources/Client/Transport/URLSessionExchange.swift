#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes
import LarderPromises
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request, the response so far, and the completion.
final class URLSessionExchange: TransportTask {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct State: ~Copyable {
        var head: HTTPResponse?
        var body: BodyBuffer
        /// Where the content goes, where it is read as it comes.
        var pipe: ContentPipe?
        /// Whether the task is suspended until that has been read.
        var isPaused = false
        var timings: RequestTimings?
        var start: ContinuousClock.Instant?
        /// The bytes of content that have come, decoded.
        var received: Int64 = 0
        var task: URLSessionTask?
        var timer: (any DispatchSourceTimer)?
        /// Nil once it has been called.
        var completion: Completion?
        var hasEnded = false
    }

    /// The queue that ends what takes too long.
    private static let timeouts = DispatchQueue(label: "larder.urlsession.timeouts")

    let request: TransportRequest
    private let limits: TransportLimits
    private let onEnd: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameter onEnd: What is called once it is no longer under way, if it ever was.
    init(
        _ request: TransportRequest, onEnd: @escaping @Sendable () -> Void = {},
        completion: @escaping Completion
    ) {
        self.request = request
        self.onEnd = onEnd
        limits = request.limits ?? TransportLimits()
        let body = BodyBuffer(limit: limits.maximumBodySize, memoryLimit: limits.maximumMemory)
        state = Mutex(State(body: body, completion: completion))
    }

    /// Starts the task, and the clock that bounds the whole exchange, if one does.
    func start(_ task: URLSessionTask, within timeout: Duration?) {
        let isWanted = state.withLock { state in
            guard !state.hasEnded else { return false }
            (state.task, state.start) = (task, .now)
            guard let timeout, !timeout.isUncounted else { return true }
            let timer = DispatchSource.makeTimerSource(queue: Self.timeouts)
            timer.schedule(deadline: .now() + .milliseconds(max(timeout.wholeMilliseconds, 1)))
            timer.setEventHandler { [weak self] in
                self?.stop(
                    TransportError(.timedOut, "The exchange took longer than \(timeout)."))
            }
            timer.activate()
            state.timer = timer
            return true
        }
        guard isWanted else { return task.cancel() }
        task.resume()
    }

    func cancel() {
        stop(.cancelled)
    }

    /// Tells who waits how it has ended, the first time only.
    func end(_ result: Result<TransportResponse, TransportError>) {
        guard let (completion, pipe) = takeEnd() else { return }
        onEnd()
        completion?(result)
        pipe?.finish(result.map { _ in })
    }

    /// Tells who waits that it is never under way.
    func refuse(_ error: TransportError) {
        takeEnd()?.0?(.failure(error))
    }

    /// Ends it, and returns who waits; nil where it has ended before.
    private func takeEnd() -> (Completion?, ContentPipe?)? {
        state.withLock { state -> (Completion?, ContentPipe?)? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.timer.take()?.cancel()
            state.task = nil
            // Before anybody is told, who may have it begun anew.
            state.body.removeAll()
            return (state.completion.take(), state.pipe.take())
        }
    }

    /// Whether it has not ended yet.
    var isWanted: Bool { state.withLock { !$0.hasEnded } }

    /// Makes a task, unless the exchange has ended, which it does not meanwhile.
    func whileWanted(_ make: () -> URLSessionTask) -> URLSessionTask? {
        state.withLock { $0.hasEnded ? nil : make() }
    }

    /// Gives up, for a reason that the system does not know.
    func stop(_ error: TransportError) {
        let task = state.withLock { $0.task }
        end(.failure(error))
        task?.cancel()
    }

    // MARK: - What the session reports

    /// Returns whether the transfer is to go on.
    func receive(_ response: URLResponse?, in task: URLSessionTask) -> Bool {
        do throws(TransportError) {
            let head = try HTTPResponse(response, limits: limits)
            guard head.status.code != 101 else {
                throw .malformedResponse("The server switched protocols unasked.")
            }
            // Interim responses are told by some systems.
            guard head.status.code >= 200 else { return true }
            let hasContent =
                request.head.method != .head && head.status.code != 204 && head.status.code != 304
            let begun = state.withLock { state in
                Result<(ContentPipe, Completion)?, TransportError> {
                    () throws(TransportError) in
                    // Who writes may belong to who has begun it anew.
                    guard !state.hasEnded else { return nil }
                    guard state.head == nil else {
                        throw .malformedResponse("Another response stands in the content.")
                    }
                    // In the background, the system follows redirects by itself.
                    let url = response?.url?.absoluteString ?? request.urlText
                    let writer = hasContent ? try writer(for: head, from: url) : nil
                    state.head = head
                    if let writer { state.body.write(to: writer) }
                    guard let pipe = writer as? ContentPipe else { return nil }
                    state.pipe = pipe
                    return state.completion.take().map { (pipe, $0) }
                }
            }
            if let (pipe, completion) = try begun.get() {
                begin(head, over: pipe, of: task, completion)
            }
            return true
        } catch {
            stop(error)
            return false
        }
    }

    /// Returns who takes the content of a response; nil where it is kept.
    private func writer(
        for head: HTTPResponse, from url: String
    ) throws(TransportError) -> (any ContentWriter)? {
        try head.checkCoding(of: request)
        if let writer = try request.sink?.writer(for: head, from: url) { return writer }
        guard head.declaredLength ?? 0 <= Int64(limits.maximumBodySize) else {
            throw .limitExceeded("The content exceeds \(limits.maximumBodySize) bytes.")
        }
        return nil
    }

    /// Hands over the response whose content is still to come.
    private func begin(
        _ head: HTTPResponse, over pipe: ContentPipe, of task: URLSessionTask,
        _ completion: Completion
    ) {
        pipe.attach(
            resume: { [weak self] in self?.goOn(task) },
            stop: { [weak self] in self?.cancel() })
        let content = TransportResponse.Content.streamed(ContentStream(pipe))
        completion(.success(TransportResponse(head: head, content: content)))
    }

    /// Under the lock as in `pause`, so that a reader that is quick cannot come before the pause.
    private func goOn(_ task: URLSessionTask) {
        state.withLock { state in
            guard state.isPaused else { return }
            state.isPaused = false
            task.resume()
        }
    }

    private func pauseIfFull(_ task: URLSessionTask) {
        state.withLock { state in
            // Suspended once, as what has been received already still comes.
            guard !state.isPaused, state.pipe?.pauseIfFull() == true else { return }
            state.isPaused = true
            task.suspend()
        }
    }

    func receive(_ data: Data, in task: URLSessionTask) {
        guard take(data) else { return }
        pauseIfFull(task)
        reportProgress(of: task)
    }

    /// Takes the bytes that follow, and returns whether more may come.
    func take(_ data: Data) -> Bool {
        let refusal = state.withLock { state -> TransportError? in
            guard !state.hasEnded else { return nil }
            do throws(TransportError) {
                try Self.append(data, to: &state.body)
                state.received += Int64(data.count)
                // Who takes it has what has come, whoever ends this.
                try state.body.flush()
                // It comes in large pieces already.
                if case .file(let file, _)? = request.sink { try file.flush() }
                return nil
            } catch {
                return error
            }
        }
        guard let refusal else { return true }
        stop(refusal)
        return false
    }

    func reportProgress(of task: URLSessionTask) {
        guard let onProgress = request.onProgress else { return }
        let (head, received) = state.withLock { ($0.head, $0.received) }
        // Not every system counts what has come.
        let expected = max(task.countOfBytesExpectedToReceive, head?.declaredLength ?? 0)
        onProgress(
            TransferProgress(
                sent: task.countOfBytesSent,
                expectedToSend: request.body.map { Int64($0.count) },
                received: task.countOfBytesReceived > 0 ? task.countOfBytesReceived : received,
                expectedToReceive: expected > 0 ? expected : nil))
    }

    func receive(_ metrics: URLSessionTaskMetrics) {
        guard request.isTimed, let timings = RequestTimings(metrics) else { return }
        state.withLock { $0.timings = timings }
    }

    private static func append(
        _ data: Data, to body: inout BodyBuffer
    ) throws(TransportError) {
        for region in data.regions {
            let result = region.withUnsafeBytes { bytes in
                Result<Void, TransportError> { () throws(TransportError) in
                    try body.append(bytes)
                }
            }
            try result.get()
        }
    }

    func complete(_ error: (any Error)?) {
        end(
            state.withLock { state in
                // What has been stopped has nothing more to write.
                guard !state.hasEnded else { return .failure(.cancelled) }
                do throws(TransportError) {
                    if let error {
                        state.body.removeAll()
                        throw TransportError(error as NSError, isInContent: state.head != nil)
                    }
                    guard let head = state.head else {
                        throw .malformedResponse("The response has no head.")
                    }
                    try Self.check(state.body.count, of: head, to: request)
                    let content = try state.body.takeContent()
                    return .success(
                        TransportResponse(
                            head: head, content: content, timings: state.timings,
                            since: state.start))
                } catch {
                    return .failure(error)
                }
            })
    }

    /// Refuses content that is shorter than its head says, which not every system does.
    private static func check(
        _ count: Int, of head: HTTPResponse, to request: TransportRequest
    ) throws(TransportError) {
        let hasContent =
            request.head.method != .head && head.status.code != 204 && head.status.code != 304
        guard hasContent, let length = head.declaredLength, count < length else { return }
        throw TransportError(.truncatedBody, "The content ended before its declared end.")
    }
}
#endif
