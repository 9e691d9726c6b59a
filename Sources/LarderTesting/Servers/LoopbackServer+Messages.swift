import FlyingFox
public import Foundation
public import HTTPTypes

extension LoopbackServer {
    /// A request as a client sent it.
    public struct Request: Sendable {
        /// The method.
        public let method: HTTPTypes.HTTPRequest.Method

        /// The path as it was sent, percent-encoded, without the query.
        public let path: String

        /// The query as it was sent, or nil where there was none.
        public let query: String?

        /// The header fields; of a field that repeats, one.
        public let headerFields: HTTPFields

        /// The content.
        public let body: Data

        /// The values of the route's named segments, decoded.
        public internal(set) var parameters: [String: String] = [:]

        /// The query's items, decoded.
        public var queryItems: [URLQueryItem] {
            guard let query else { return [] }
            return URLComponents(string: "?" + query)?.queryItems ?? []
        }

        /// The value of the first query item of that name.
        public subscript(query name: String) -> String? {
            queryItems.first { $0.name == name }?.value
        }

        init(_ request: FlyingFox.HTTPRequest) async throws {
            method = .init(request.method.rawValue) ?? .get
            path = request.target.path()
            let query = request.target.query()
            self.query = query.isEmpty ? nil : query
            var fields = HTTPFields()
            for (header, value) in request.headers {
                guard let name = HTTPField.Name(header.rawValue) else { continue }
                fields.append(HTTPField(name: name, value: value))
            }
            headerFields = fields
            body = try await request.bodyData
        }
    }
}

extension LoopbackServer {
    /// A response as a handler gives it to the server.
    public struct Response: Sendable {
        /// The status.
        public var status: HTTPTypes.HTTPResponse.Status

        /// The header fields; `Content-Length` is added.
        public var headerFields: HTTPFields

        /// The content, which is left out where the method or the status allows none.
        public var body: Data

        /// Creates a response.
        public init(
            status: HTTPTypes.HTTPResponse.Status = .ok,
            headerFields: HTTPFields = [:],
            body: Data = Data()
        ) {
            self.status = status
            self.headerFields = headerFields
            self.body = body
        }

        /// JSON text as it is.
        public static func json(
            _ text: String,
            status: HTTPTypes.HTTPResponse.Status = .ok,
            headerFields: HTTPFields = [:]
        ) -> Response {
            json(Data(text.utf8), status: status, headerFields: headerFields)
        }

        /// Encoded JSON as it is.
        public static func json(
            _ data: Data,
            status: HTTPTypes.HTTPResponse.Status = .ok,
            headerFields: HTTPFields = [:]
        ) -> Response {
            var fields = headerFields
            if !fields.contains(.contentType) { fields[.contentType] = "application/json" }
            return Response(status: status, headerFields: fields, body: data)
        }

        /// A status without content.
        public static func status(_ status: HTTPTypes.HTTPResponse.Status) -> Response {
            Response(status: status)
        }

        func outgoing(to request: Request) -> FlyingFox.HTTPResponse {
            var headers = HTTPHeaders()
            for field in headerFields {
                headers.addValue(field.value, for: HTTPHeader(field.name.rawName))
            }
            let hasNoContent =
                request.method == .head || status.code == 204 || status.code == 304
            if request.method == .head {
                headers[.contentLength] = String(body.count)
            }
            return FlyingFox.HTTPResponse(
                statusCode: HTTPStatusCode(status.code, phrase: status.reasonPhrase),
                headers: headers,
                body: hasNoContent ? Data() : body)
        }
    }
}
