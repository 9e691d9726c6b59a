public import Foundation
import HTTPTypes
import LarderObjectStore
public import LarderPromises

/// What has to hold of a resource for a request to act on it (RFC 9110, section 13), so that nobody's change is
/// written over unseen.
///
/// ```swift
/// let note: Response<Note> = try await client.enqueue(.get("notes/1")).value
/// client.enqueue(.put("notes/1", body: .json(changed), ifMatch: .version(of: note)))
/// client.ifMatch(.version(of: note)).enqueue(DeleteNote(id: 1))
/// ```
///
/// Where it does not hold, the server answers with 412, and the promise is rejected with
/// ``ClientError/Reason/preconditionFailed``. It is an interceptor as well, for those of an endpoint; of several
/// the innermost counts.
public struct Precondition: Sendable, Hashable {
    private enum Condition: Hashable {
        case field(HTTPField.Name, String)
        /// There is nothing by which it could be told, for a reason.
        case none(String)
    }

    private let condition: Condition

    /// The resource is as it was when it was read: `If-Match` with the response's `ETag`, or, where there is
    /// none, `If-Unmodified-Since` with its `Last-Modified`.
    ///
    /// A weak tag matches nothing, and a time less than a second before the response's `Date` may be that of
    /// two changes; neither counts. Nor does a response whose value is made of the store's objects as they are, which
    /// may have become others since its content came: what the store or a cache has answered, or what a 304 has
    /// confirmed of what is kept. Where nothing is left, the request is not sent, but rejected with
    /// ``ClientError/Reason/invalidRequest``. What is to be changed is asked for by
    /// `client.fetching(.none).caching(.reload)`, which brings its content.
    public static func version<Value>(of response: Response<Value>) -> Precondition {
        guard !response.isOfStoredObjects else {
            return Precondition(
                condition: .none(
                    "The value was made of the store's objects, which may be of another version by now; "
                        + "what fetching(.none).caching(.reload) brings is the server's."))
        }
        return version(response.headerFields)
    }

    private static func version(_ fields: HTTPFields) -> Precondition {
        if let tag = ResourceVersion.strongTag(in: fields) { return self.tag(tag) }
        if let modified = ResourceVersion.changeTime(in: fields) {
            return unmodified(since: Date(timeIntervalSinceReferenceDate: modified))
        }
        return Precondition(
            condition: .none(
                "The response has neither a strong ETag nor a Last-Modified that counts."))
    }

    /// The resource has this entity tag, with its quotes: `If-Match`.
    ///
    /// What is no strong tag is not sent, but rejected with ``ClientError/Reason/invalidRequest``.
    public static func tag(_ tag: String) -> Precondition {
        Precondition(
            condition: ResourceVersion.isStrong(tag)
                ? .field(.ifMatch, tag) : .none("\(tag.debugDescription) is no strong entity tag."))
    }

    /// The resource is there, in whatever version: `If-Match: *`.
    public static let exists = Precondition(condition: .field(.ifMatch, "*"))

    /// The resource is not there yet: `If-None-Match: *`.
    public static let isNew = Precondition(condition: .field(.ifNoneMatch, "*"))

    /// The resource has not changed since a time, of which whole seconds count: `If-Unmodified-Since`.
    public static func unmodified(since date: Date) -> Precondition {
        let text = RFC1123.text(of: date.timeIntervalSinceReferenceDate)
        return Precondition(
            condition: text.map { .field(.ifUnmodifiedSince, $0) }
                ?? .none("The date is no time that a field can say."))
    }
}

extension Precondition: Interceptor {
    /// Sends the request with the condition in place of any other.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        switch condition {
        case .none(let reason): return .rejected(TransportError.invalidRequest(reason))
        case .field(let name, let value):
            var request = request
            for other in [HTTPField.Name.ifMatch, .ifNoneMatch, .ifUnmodifiedSince] {
                request.head.headerFields[other] = nil
            }
            request.head.headerFields[name] = value
            return next(request)
        }
    }
}

extension Client {
    /// Creates a client of the same API and the same store whose requests are made on a condition, such as for
    /// one call.
    public func ifMatch(_ precondition: Precondition) -> Client {
        configured { $0.interceptors.append(precondition) }
    }
}
