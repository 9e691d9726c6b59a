import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Logging

/// The errors that a request ends in.
extension Delivery {
    /// Rejects with an error, completed by what was asked and what came back.
    func fail(
        _ error: any Error, _ request: TransportRequest, _ response: TransportResponse?
    ) {
        if let response, response.head.status.kind == .successful, error.isOfContent {
            response.sent?.receipt?.discard()
        }
        let names = request.secretNames.union(secretNames.withLock(\.self))
        let redaction = client.configuration.redaction.adding(names)
        let complete = completed(error, request, response, redaction)
        if !(complete is CancellationError) {
            client.log(request) { "failed: \(redaction.text(of: complete)) from \($0)" }
        }
        end(complete is CancellationError ? .cancelled : .failed(complete))
        resolver.reject(complete)
    }

    /// Adds to an error of the library's own what was asked and what came back.
    private func completed(
        _ error: any Error, _ request: TransportRequest, _ response: TransportResponse?,
        _ redaction: Redaction
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
        case var error as ClientError:
            // It is of another request, which some interceptor has made.
            error.isOfAbsence = false
            return error
        default:
            return error
        }
        let sent = last.withLock(\.sent) ?? SentRequest(request)
        complete.noteAbsence(by: response ?? complete.response(to: sent), to: request)
        complete = complete.completed(by: request, redaction)
        // Of a refusal among the interceptors, the error itself says what came back.
        if let response { complete = complete.completed(by: response) }
        // It has credentials, and may be large.
        complete.sent = nil
        if let body = complete.body {
            let options = client.configuration.decodingOptions
            complete.decodingOptions = { options }
            if complete.isRefusal {
                complete.details = details(of: body, complete.headerFields, request, redaction)
            }
        }
        return complete
    }

    /// What is refused as the type of the API's errors, nil where it does not fit, which the log says.
    private func details(
        of body: Data, _ headerFields: HTTPFields?, _ request: TransportRequest,
        _ redaction: Redaction
    ) -> (any Sendable)? {
        let (own, configuration) = (endpoint.errorBody, client.configuration)
        do {
            return try (own.isOfClient ? configuration.errorBody : own)?
                .details(of: body, headerFields ?? [:], by: configuration.decodingOptions)
        } catch {
            client.log(request) { "no details: \(redaction.text(of: error)) from \($0)" }
            return nil
        }
    }
}
