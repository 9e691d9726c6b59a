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
