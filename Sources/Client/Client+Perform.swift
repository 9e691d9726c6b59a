import Foundation
import HTTPTypes
import LarderPromises

extension Client {
    /// Builds the request of an endpoint and sends it on its way.
    func perform<Value>(
        _ endpoint: some Endpoint, _ serializer: ResponseSerializer<Value>
    ) -> Promise<Value> {
        let (promise, resolver) = Promise<Value>.pending()
        do {
            let request = try request(for: endpoint)
            Delivery(request, serializer, for: self, to: resolver).start()
        } catch {
            resolver.reject(error)
        }
        return promise
    }

    /// The request as it goes to the interceptors.
    private func request(for endpoint: some Endpoint) throws -> TransportRequest {
        do {
            guard let baseURL else {
                throw TransportError.invalidRequest("The client's base URL is no URL.")
            }
            var request = try endpoint.request(baseURL: baseURL)
            try request.validate()
            addHeaderFields(to: &request, baseURL: baseURL)
            request.timeout = request.timeout ?? configuration.timeout
            request.limits = request.limits ?? configuration.limits
            return request
        } catch {
            throw ClientError(
                .invalidRequest, method: endpoint.method,
                url: configuration.redaction.url(endpoint.path), underlying: error)
        }
    }

    /// Adds the client's own fields; secret ones to its own origin only.
    private func addHeaderFields(to request: inout TransportRequest, baseURL: URL) {
        let base = try? URLReference(baseURL.absoluteString)
        let isOwnOrigin = (try? URLReference(request.urlText).origin) == base?.origin
        let own = request.head.headerFields
        for field in configuration.headerFields where !own.contains(field.name) {
            if isOwnOrigin || !configuration.redaction.headerFields.contains(field.name) {
                request.head.headerFields.append(field)
            }
        }
    }
}
