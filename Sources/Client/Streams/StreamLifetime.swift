import Foundation
import LarderPromises

/// One who reads a stream, as one of the client's requests in flight, up to its end; whatever it waits for can be
/// given up from any thread.
final class StreamLifetime: Sendable {
    private struct State {
        var isCancelled = false
        /// Gives up what is waited for.
        var stop: (@Sendable () -> Void)?
        /// The content that is read, whether anybody waits for it or not.
        weak var stream: ContentStream?
        /// The response that came last.
        var response: Response<Void>?
        /// Those who see each response before its parts.
        var observers: [@Sendable (Response<Void>) throws -> Void] = []
    }

    private let client: Client
    private let place: RequestRegistry.Place?
    private let resolver: Resolver<Void>
    private let state = Guarded(State())

    init(of call: StreamCall) {
        client = call.caller
        let promise: Promise<Void>
        (promise, resolver) = Promise<Void>.pending(fileID: call.fileID, line: call.line)
        let configuration = client.configuration
        place =
            configuration.tracksRequests
            ? client.registry.add(call.endpoint, promise, in: configuration.queue) : nil
        resolver.onCancel { [weak self] in self?.cancel() }
    }

    deinit {
        client.forget(place)
        resolver.fulfill(())
    }

    private func cancel() {
        let (stop, stream) = state.withLock { state in
            state.isCancelled = true
            return (state.stop.take(), state.stream)
        }
        stop?()
        stream?.cancel()
    }

    /// Throws once it has been given up, be what is asked for there already.
    func checkCancellation() throws {
        try Task.checkCancellation()
        if state.withLock(\.isCancelled) { throw CancellationError() }
    }

    /// The response that came last, nil before the first one.
    var response: Response<Void>? { state.withLock(\.response) }

    /// Has somebody see each response before its parts, and refuse it by throwing.
    func onResponse(_ body: @escaping @Sendable (Response<Void>) throws -> Void) {
        state.withLock { $0.observers.append(body) }
    }

    /// Tells that a response has come, whose parts follow.
    func note(_ response: StreamedResponse) throws {
        let whole = response.withoutContent
        let observers = state.withLock { state in
            state.response = whole
            return state.observers
        }
        for observer in observers { try observer(whole) }
    }

    /// Waits for a promise.
    func value<Value>(of begin: () -> Promise<Value>) async throws -> Value {
        try Task.checkCancellation()
        let promise = begin()
        watch { promise.cancel() }
        defer { end() }
        return try await promise.value
    }

    /// Waits for the next part of a response's content.
    func part(of stream: ContentStream, for response: StreamedResponse) async throws -> Data? {
        state.withLock { $0.stream = stream }
        watch { stream.cancel() }
        defer { end() }
        do throws(TransportError) {
            return try await stream.next()
        } catch {
            throw response.origin.completed(error)
        }
    }

    /// Makes a value of a part, in a turn of the store's where it is stored.
    func value<Value>(
        of part: Data, _ serializer: ResponseSerializer<Value>, from origin: StreamOrigin
    ) async throws -> Value {
        do {
            return try await value {
                let (promise, resolver) = Promise<Value>.pending()
                let job = PartImport(
                    part: part, origin: origin, serializer: serializer, resolver: resolver)
                if serializer.isStoring {
                    client.importLine.add(job)
                } else {
                    resolver.resolve(with: job.made)
                }
                return promise
            }
        } catch {
            throw origin.completed(error, part: part)
        }
    }

    private func watch(_ stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.stop = stop }
            return state.isCancelled
        }
        if isCancelled { stop() }
    }

    private func end() {
        // Whatever it keeps goes with it, though not under the lock.
        let stop = state.withLock { $0.stop.take() }
        withExtendedLifetime(stop) {}
    }
}
