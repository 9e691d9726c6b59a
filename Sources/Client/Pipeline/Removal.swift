import Foundation
import HTTPTypes
public import LarderObjectStore

/// The object that is deleted locally where the server says that it has deleted it, or does not have it.
///
/// ```swift
/// struct DeleteIssue: Endpoint {
///     let id: Int
///     var path: URLPath { "issues/\(id)" }
///     var method: HTTPRequest.Method { .delete }
///     var removal: Removal { .of(One<Issue>(id: id)) }
/// }
/// ```
///
/// It goes by its delete rules, in the transaction of the response: where the request is a DELETE by any
/// success that validators accept, but for 207 (Multi-Status), which may tell of failures; and by 404 (Not
/// Found) and 410 (Gone) whatever the method is. To a DELETE these are a success without content; any other
/// request fails by them as ever, once the object is gone. HTML is no answer of an API's, but perhaps of a
/// gateway before it, and deletes nothing; nor does what a cache has had, since the object may be there again.
public struct Removal: Sendable {
    /// Deletes the object, nil where there is none.
    let remove: (@Sendable (Context) throws -> ImportReport)?

    /// Nothing is deleted.
    public static let none = Removal(remove: nil)

    /// An object; one that the store does not have is none.
    public static func of<Object: Entity>(_ object: One<Object>) -> Removal {
        Removal { try $0.remove(object) }
    }

    /// Whether there is nothing to delete.
    var isNone: Bool { remove == nil }

    /// Whether a response says that the object is gone.
    static func isGone(by response: TransportResponse, to method: HTTPRequest.Method) -> Bool {
        let status = response.head.status
        guard !response.claimsHTML(to: method) else { return false }
        return status == .notFound || status == .gone
            || method == .delete && status.kind == .successful && status.code != 207
    }
}

extension TransportResponse {
    /// Whether its content says that it is a page for people, to a HEAD also that which it would have.
    fileprivate func claimsHTML(to method: HTTPRequest.Method) -> Bool {
        guard bodyCount > 0 || method == .head,
            let type = head.headerFields[.contentType]?.lowercased()
        else {
            return false
        }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }
}

extension ClientError {
    /// The response that a validator has refused; nil where none came, or it is another request's.
    func response(to request: TransportRequest) -> TransportResponse? {
        guard url == nil, let status else { return nil }
        var response = TransportResponse(
            head: HTTPResponse(status: status, headerFields: headerFields ?? [:]),
            body: body ?? Data())
        response.sent = SentRequest(SentRequest(request), from: source, age: nil, nil)
        return response
    }
}
