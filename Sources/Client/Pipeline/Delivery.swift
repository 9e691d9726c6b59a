import Dispatch
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// One enqueued endpoint on its way from request to value.
///
/// Interceptors and transport come first, on whatever threads they like; then validators and processors,
/// beside those of other responses; what stores runs on one queue for the client, once the transaction
/// has ended that the endpoint was enqueued in.
final class Delivery<Value: Sendable>: Sendable {
    private let request: TransportRequest
    private let serializer: ResponseSerializer<Value>
    private let resolver: Resolver<Value>
    private let client: Client
    /// The transaction that the endpoint was enqueued in.
    private let caller: OpenTransaction?
    /// The request that was sent last, where interceptors may have changed it.
    private let sent: Guarded<SentRequest?>

    private var configuration: Client.Configuration { client.configuration }

    init(
        _ request: TransportRequest, _ serializer: ResponseSerializer<Value>,
        for client: Client, in caller: OpenTransaction?, to resolver: Resolver<Value>
    ) {
        self.request = request
        self.serializer = serializer
        self.resolver = resolver
        self.client = client
        self.caller = caller
        sent = Guarded(nil)
    }

    func start() {
        client.log(request) { "\(request.head.method) \($0)" }
        client.logFields(request.head.headerFields)
        guard !configuration.interceptors.isEmpty else {
            let task = configuration.transport.send(request) { self.receive($0) }
            cancelling { task.cancel() }
            return
        }
        // Others may wait for the interceptor's promise too: what is cancelled is this branch of it.
        let received = intercepted(request, from: 0).handle { self.receive($0) }
        cancelling { received.cancel() }
    }

    /// Stops the work where the promise is cancelled.
    private func cancelling(_ stop: @escaping @Sendable () -> Void) {
        // Not this delivery, which holds the resolver.
        resolver.onCancel { [client, request] in
            client.log(request) { "cancelled: \(request.head.method) \($0)" }
            stop()
        }
    }

    // MARK: - Interceptors

    private func intercepted(
        _ request: TransportRequest, from index: Int
    ) -> Promise<TransportResponse> {
        guard index < configuration.interceptors.count else { return send(request) }
        return configuration.interceptors[index].intercept(request) {
            self.intercepted($0, from: index + 1)
        }
    }

    private func send(_ request: TransportRequest) -> Promise<TransportResponse> {
        let sent = SentRequest(request)
        self.sent.withLock { $0 = sent }
        let (promise, resolver) = Promise<TransportResponse>.pending()
        let task = configuration.transport.send(request) { result in
            switch result {
            case .success(var response):
                response.sent = sent
                resolver.fulfill(response)
            case .failure(let error):
                resolver.reject(error)
            }
        }
        resolver.onCancel { task.cancel() }
        return promise
    }

    // MARK: - Response

    private func receive<Failure: Error>(_ result: Result<TransportResponse, Failure>) {
        switch result {
        case .success(let response):
            client.deliveryQueues.run { self.deliver(response) }
        case .failure(let error):
            fail(error, lastSent, nil)
        }
    }

    /// The request that was sent last, or the client's own where none was.
    private var lastSent: TransportRequest { sent.withLock { $0?.request } ?? request }

    private func deliver(_ response: TransportResponse) {
        let request = response.sent?.request ?? lastSent
        client.log(request) {
            "\(response.head.status.code) \(response.bodyCount) bytes from \($0)"
        }
        client.logFields(response.head.headerFields)
        guard !resolver.isCancelled else { return resolver.reject(CancellationError()) }
        do {
            let processed = try processed(response, to: request)
            guard serializer.isStoring else {
                return serialize(processed, of: response, to: request)
            }
            guard let caller else { return store(processed, of: response, to: request) }
            // Nothing is written for it, so that the transaction may wait for it.
            guard processed.bodyCount > 0 else {
                return serialize(processed, of: response, to: request)
            }
            // Beside the queue, where one may be first that waits for the caller, as the caller may for
            // this one.
            resolver.onCancel { [weak resolver] in resolver?.reject(CancellationError()) }
            client.store.whenEnded(caller) { error in
                if let error {
                    self.fail(ClientError(.notStored, underlying: error), request, response)
                } else {
                    self.store(processed, of: response, to: request)
                }
            }
        } catch {
            fail(error, request, response)
        }
    }

    /// Makes the value on the queue of what is stored.
    private func store(
        _ processed: TransportResponse, of response: TransportResponse, to request: TransportRequest
    ) {
        client.importQueue.async {
            // Whoever waits here for another response to be stored waits for ever.
            WaitBan.perform { self.serialize(processed, of: response, to: request) }
        }
    }

    /// Makes the value of a response that is to be there as it came, where that fails.
    private func serialize(
        _ processed: TransportResponse, of response: TransportResponse, to request: TransportRequest
    ) {
        guard !resolver.isCancelled else { return resolver.reject(CancellationError()) }
        do {
            let arrival = Arrival(
                request: request, response: processed, client: client,
                isCancelled: { [resolver] in resolver.isCancelled },
                onCancel: { [resolver] in resolver.onCancel($0) },
                commit: { [resolver] in
                    guard resolver.commit() else { throw CancellationError() }
                })
            resolver.fulfill(try serializer.serialize(arrival).value)
        } catch {
            fail(error, request, response)
        }
    }

    /// The response as validators accept and processors rewrite it.
    private func processed(
        _ response: TransportResponse, to request: TransportRequest
    ) throws -> TransportResponse {
        try ClientError.wrapping(.refused) {
            for validator in configuration.validators {
                try validator.validate(response, to: request)
            }
        }
        var processed = response
        try ClientError.wrapping(.unprocessed) {
            for processor in configuration.processors {
                processed = try processor.process(processed, to: request)
            }
        }
        return processed
    }

    private func fail(
        _ error: any Error, _ request: TransportRequest, _ response: TransportResponse?
    ) {
        let complete = completed(error, request, response)
        if !(complete is CancellationError) {
            client.log(request) {
                "failed: \(configuration.redaction.text(of: complete)) from \($0)"
            }
        }
        resolver.reject(complete)
    }

    /// Adds to an error of the library's own what was asked and what came back.
    private func completed(
        _ error: any Error, _ request: TransportRequest, _ response: TransportResponse?
    ) -> any Error {
        var complete: ClientError
        switch error {
        case let error as TransportError where error.reason == .cancelled:
            return CancellationError()
        case let error as TransportError where error.reason == .invalidRequest:
            complete = ClientError(.invalidRequest, underlying: error)
        case let error as TransportError:
            complete = ClientError(.transport, underlying: error)
        case let error as ClientError where error.url == nil:
            complete = error
        default:
            return error
        }
        let redaction = configuration.redaction
        complete.method = request.head.method
        complete.url = redaction.url(request.urlText)
        complete.status = response?.head.status
        complete.headerFields = response?.head.headerFields
        complete.body = response?.body
        complete.redaction = redaction
        return complete
    }
}
