public import Foundation
import HTTPTypes

extension TransportRequest {
    /// Creates the request that an endpoint describes by its properties.
    ///
    /// Throws ``TransportError`` for a path that cannot be resolved, and whatever encoding the body throws.
    public init(_ endpoint: some Endpoint, baseURL: URL) throws {
        try endpoint.checkTypes()
        var target = try URLReference(endpoint.path)
            .resolved(against: URLReference(baseURL.absoluteString))
        target.appendQuery(endpoint.query)
        var head = HTTPRequest(
            method: endpoint.method,
            scheme: target.scheme,
            authority: target.authority,
            path: target.pathAndQuery,
            headerFields: endpoint.headerFields)
        let body = try endpoint.content?.encoded()
        if let contentType = body?.contentType, !head.headerFields.contains(.contentType) {
            head.headerFields[.contentType] = contentType
        }
        self.init(head: head, body: body?.data, timeout: endpoint.allowedTime)
    }
}
