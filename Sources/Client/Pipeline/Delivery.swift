import Dispatch
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Logging

/// One enqueued endpoint on its way from request to value.
///
/// Interceptors and transport come first, on whatever threads they like; then validators, processors
/// and serializer run on one queue, where nothing blocks the transport.
final class Delivery<Value: Sendable>: Sendable {
    private let request: TransportRequest
    private let serializer: ResponseSerializer<Value>
    private let resolver: Resolver<Value>
    private let configuration: Client.Configuration
    private let store: Store
    private let importQueue: DispatchQueue

    init(
        _ request: TransportRequest, _ serializer: ResponseSerializer<Value>,
        for client: Client, to resolver: Resolver<Value>
    ) {
        self.request = request
        self.serializer = serializer
        self.resolver = resolver
        configuration = client.configuration
        store = client.store
        importQueue = client.importQueue
    }

    func start() {
        log { "\(self.request.head.method) \($0.url(self.request.urlText))" }
        guard !configuration.interceptors.isEmpty else {
            let task = configuration.transport.send(request) { self.receive($0) }
            resolver.onCancel { task.cancel() }
            return
        }
        let response = intercepted(request, from: 0)
        resolver.onCancel { response.cancel() }
        response.handle { self.receive($0) }
    }

    // MARK: - Interceptors

    private func intercepted(
        _ request: TransportRequest, from index: Int
    ) -> Promise<TransportResponse> {
        guard !resolver.isCancelled else { return .rejected(CancellationError()) }
        guard index < configuration.interceptors.count else { return sent(request) }
        return configuration.interceptors[index].intercept(request) {
            self.intercepted($0, from: index + 1)
        }
    }

    private func sent(_ request: TransportRequest) -> Promise<TransportResponse> {
        let (promise, resolver) = Promise<TransportResponse>.pending()
        let task = configuration.transport.send(request) { result in
            resolver.resolve(with: result.mapError { $0 })
        }
        resolver.onCancel { task.cancel() }
        return promise
    }

    // MARK: - Response

    private func receive<Failure: Error>(_ result: Result<TransportResponse, Failure>) {
        switch result {
        case .success(let response):
            let queue = serializer.isStoring ? importQueue : .global(qos: .userInitiated)
            queue.async { self.deliver(response) }
        case .failure(let error):
            fail(error, nil)
        }
    }

    private func deliver(_ response: TransportResponse) {
        guard !resolver.isCancelled else { return resolver.reject(CancellationError()) }
        log {
            "\(response.head.status.code) \(response.bodyCount) bytes from "
                + $0.url(self.request.urlText)
        }
        do {
            for validator in configuration.validators {
                try validator.validate(response, to: request)
            }
            var processed = response
            for processor in configuration.processors {
                processed = try processor.process(processed, to: request)
            }
            let arrival = Arrival(
                request: request, response: processed, serializer: configuration.serializer,
                decodingOptions: configuration.decodingOptions, store: store,
                isCancelled: { [resolver] in resolver.isCancelled })
            resolver.fulfill(try serializer.serialize(arrival).value)
        } catch {
            fail(error, response)
        }
    }

    private func fail(_ error: any Error, _ response: TransportResponse?) {
        let complete = Self.completed(error, request, response, configuration.redaction)
        log { "failed: \(complete) from \($0.url(self.request.urlText))" }
        resolver.reject(complete)
    }

    private func log(_ message: (Redaction) -> String) {
        guard let logger = configuration.logger else { return }
        logger.debug("\(message(configuration.redaction))")
    }

    /// Adds to an error of the library's own what was asked and what came back.
    static func completed(
        _ error: any Error, _ request: TransportRequest, _ response: TransportResponse?,
        _ redaction: Redaction
    ) -> any Error {
        var complete: ClientError
        switch error {
        case let error as TransportError where error.kind == .cancelled:
            return CancellationError()
        case let error as TransportError where error.kind == .invalidRequest:
            complete = ClientError(.invalidRequest, underlying: error)
        case let error as TransportError:
            complete = ClientError(.transport, underlying: error)
        case let error as ClientError where error.url == nil:
            complete = error
        default:
            return error
        }
        complete.method = request.head.method
        complete.url = redaction.url(request.urlText)
        complete.status = response?.head.status
        complete.headerFields = response?.head.headerFields
        complete.body = response?.body
        complete.redaction = redaction
        return complete
    }
}
