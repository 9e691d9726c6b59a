import Foundation
import HTTPTypes

extension Credential {
    /// Gives a request the fields and items.
    func authorize(_ request: inout TransportRequest) throws(TransportError) {
        for item in fields {
            guard let name = HTTPField.Name(item.name), HTTPField.isValidValue(item.value) else {
                throw .invalidRequest("The credential makes no valid header field.")
            }
            request.head.headerFields[name] = item.value
        }
        request.secretNames.formUnion(fields.map(\.name))
        guard !queryItems.isEmpty else { return }
        var target = try URLReference(request.urlText)
        target.appendQuery(queryItems.map(\.queryItem))
        request.head.path = target.pathAndQuery
        request.secretNames.formUnion(queryItems.map(\.name))
        request.addedItems.formUnion(queryItems.map(\.name))
    }

    /// Whether a request has all of it.
    func isBorne(by request: TransportRequest) -> Bool {
        let query = request.queryParts
        return fields.allSatisfy { item in
            HTTPField.Name(item.name).map { request.head.headerFields[$0] } == item.value
        }
            && queryItems.allSatisfy { item in
                query.contains { $0 == PercentEncoding.query([item.queryItem]) }
            }
    }

    /// The names of its fields and items.
    var names: [String] { (fields + queryItems).map(\.name) }

    /// Whether a request says by itself what this would say.
    func isPreceded(in request: TransportRequest) -> Bool {
        let query = request.queryParts
        return fields.contains { item in
            HTTPField.Name(item.name).map(request.head.headerFields.contains) ?? false
        }
            || queryItems.contains { item in
                let name = PercentEncoding.query([URLQueryItem(name: item.name, value: nil)])
                return query.contains { $0 == name || $0.hasPrefix(name + "=") }
            }
    }
}

extension Credential.Item {
    fileprivate var queryItem: URLQueryItem { URLQueryItem(name: name, value: value) }
}

extension TransportRequest {
    /// The items of its query, as they are written.
    fileprivate var queryParts: [Substring] {
        guard let path = head.path, let mark = path.firstIndex(of: "?") else { return [] }
        return path[path.index(after: mark)...].split(separator: "&")
    }
}
