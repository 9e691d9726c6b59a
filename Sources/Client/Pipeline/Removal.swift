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
/// gateway before it, and deletes nothing; nor does what a cache has had, since the object may be there again, nor
/// what another host says behind a redirect, which may be where one logs in, nor 404 and 410 to the GET that 303
/// (See Other) has made of another request.
///
/// By 404 and 410 to any other request goes what the store had when that was enqueued, be it a reference: an object
/// that has come since is newer than the answer. Enqueued in a transaction it takes whatever there is.
public struct Removal: Sendable {
    /// The object, nil where there is none.
    let object: RemovableObject?

    /// Nothing is deleted.
    public static let none = Removal(object: nil)

    /// An object; one that the store does not have is none.
    public static func of<Object: Entity>(_ object: One<Object>) -> Removal {
        Removal(object: RemovableObject(object))
    }

    /// Whether there is nothing to delete.
    var isNone: Bool { object == nil }

    /// Whether a response says that the object is gone.
    static func isGone(by response: TransportResponse, to method: HTTPRequest.Method) -> Bool {
        let status = response.head.status
        guard !response.claimsHTML(to: method), response.isOfOneHost else { return false }
        if status == .notFound || status == .gone {
            // What a redirect had fetched instead may be anything's.
            guard let sent = response.sent, !sent.redirects.isEmpty else { return true }
            return sent.request.head.method == method
        }
        return method == .delete && status.kind == .successful && status.code != 207
    }
}

extension TransportResponse {
    /// Whether redirects, if there were any, have led to no other host.
    fileprivate var isOfOneHost: Bool {
        guard let sent, !sent.redirects.isEmpty else { return true }
        let hosts = (sent.redirects + [sent.request.urlText])
            .map { URL(reference: $0)?.host()?.lowercased() }
        return hosts.allSatisfy { $0 != nil && $0 == hosts[0] }
    }

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
    func response(to sent: SentRequest) -> TransportResponse? {
        guard url == nil, let status else { return nil }
        var response = TransportResponse(
            head: HTTPResponse(status: status, headerFields: headerFields ?? [:]),
            body: body ?? Data())
        response.sent = SentRequest(sent, from: source, age: nil, nil)
        return response
    }
}

extension ClientError {
    /// Notes whether it is the server's own word, as of now, that there is nothing of what was asked for.
    mutating func noteAbsence(by response: TransportResponse?, to request: TransportRequest) {
        guard reason == .unacceptableStatus, let response else { return }
        isOfAbsence =
            response.isCurrent && Removal.isGone(by: response, to: request.head.method)
    }
}
