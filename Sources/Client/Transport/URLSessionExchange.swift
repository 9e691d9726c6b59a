#if canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import Synchronization

/// A request, the response so far, and the completion.
final class URLSessionExchange: TransportTask {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct State: ~Copyable {
        var head: HTTPResponse?
        var body: BodyBuffer
        var task: URLSessionTask?
        var completion: Completion?
    }

    /// The queue that ends what takes too long.
    private static let timeouts = DispatchQueue(label: "larder.urlsession.timeouts")

    private let request: TransportRequest
    private let limits: TransportLimits
    private let state: Mutex<State>

    init(_ request: TransportRequest, completion: @escaping Completion) {
        self.request = request
        limits = request.limits ?? TransportLimits()
        let body = BodyBuffer(limit: limits.maximumBodySize, memoryLimit: limits.maximumMemory)
        state = Mutex(State(body: body, completion: completion))
    }

    /// Starts the task, and the clock that bounds the whole exchange.
    func start(_ task: URLSessionTask) {
        state.withLock { $0.task = task }
        let timeout = request.timeout ?? .seconds(60)
        let deadline = DispatchTime.now() + .milliseconds(max(timeout.wholeMilliseconds, 1))
        Self.timeouts.asyncAfter(deadline: deadline) { [weak self] in
            self?.stop(TransportError(.timedOut, "The exchange took longer than \(timeout)."))
        }
        task.resume()
    }

    func cancel() {
        stop(.cancelled)
    }

    /// Calls the completion, the first time only.
    func end(_ result: Result<TransportResponse, TransportError>) {
        let completion = state.withLock { state in
            defer {
                state.completion = nil
                state.task = nil
            }
            return state.completion
        }
        completion?(result)
    }

    private func stop(_ error: TransportError) {
        let task = state.withLock { $0.task }
        end(.failure(error))
        task?.cancel()
    }

    // MARK: - What the session reports

    /// Returns whether the transfer is to go on.
    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse,
            (100...999).contains(response.statusCode)
        else {
            stop(.malformedResponse("The response is not one of HTTP."))
            return false
        }
        let fields = Self.fields(of: response)
        guard fields.count <= limits.maximumHeaderFieldCount,
            fields.reduce(0, { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count })
                <= limits.maximumHeaderSize
        else {
            stop(.limitExceeded("The header fields exceed the limits."))
            return false
        }
        let hasContent =
            request.head.method != .head && response.statusCode != 204 && response.statusCode != 304
        let head = HTTPResponse(status: .init(code: response.statusCode), headerFields: fields)
        do throws(TransportError) {
            // Content for a reader is kept as a whole, and read then.
            let file = hasContent ? try request.sink?.file(for: head) : nil
            guard
                !hasContent || file != nil
                    || response.expectedContentLength <= Int64(limits.maximumBodySize)
            else { throw .limitExceeded("The content exceeds \(limits.maximumBodySize) bytes.") }
            state.withLock { state in
                state.head = head
                if let file { state.body.write(to: file) }
            }
            return true
        } catch {
            stop(error)
            return false
        }
    }

    func receive(_ data: Data, in task: URLSessionTask) {
        let refusal = state.withLock { state -> TransportError? in
            do throws(TransportError) {
                try Self.append(data, to: &state.body)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { return stop(refusal) }
        reportProgress(of: task)
    }

    func reportProgress(of task: URLSessionTask) {
        request.onProgress?(
            TransferProgress(
                sent: task.countOfBytesSent,
                expectedToSend: request.body.map { Int64($0.count) },
                received: task.countOfBytesReceived,
                expectedToReceive: task.countOfBytesExpectedToReceive > 0
                    ? task.countOfBytesExpectedToReceive : nil))
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
        if let error {
            state.withLock { $0.body.removeAll() }
            return end(.failure(TransportError(error as NSError)))
        }
        end(
            state.withLock { state in
                do throws(TransportError) {
                    guard let head = state.head else {
                        throw .malformedResponse("The response has no head.")
                    }
                    let content = try state.body.takeContent()
                    return .success(TransportResponse(head: head, content: content))
                } catch {
                    return .failure(error)
                }
            })
    }

    private static func fields(of response: HTTPURLResponse) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let name = HTTPField.Name(name) else { continue }
            // The system joins fields of one name by commas, which only this one may not be.
            let values = name == .setCookie ? SetCookie.split("\(value)") : ["\(value)"]
            for value in values { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}
#endif
