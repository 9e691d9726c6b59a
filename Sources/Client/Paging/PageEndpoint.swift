import Foundation
import HTTPTypes
import LarderObjectStore

/// An endpoint at another place of its list.
struct PageEndpoint: Endpoint {
    let base: any Endpoint
    let place: NextPage
    /// Whether it begins the list.
    let isFirst: Bool
    /// Whether what it lacks may have vanished, so that it must be no older than what is looked for in it.
    let mayBeWhole: Bool

    var path: String { "\(base.path)" }
    var method: HTTPRequest.Method { base.method }
    var headerFields: HTTPFields { base.headerFields }
    var body: RequestBody? { base.content }
    var timeout: Duration? { base.allowedTime }
    var acceptedStatuses: StatusCodes? { base.ownAcceptedStatuses }
    var acceptedContentTypes: [String] { base.acceptedContentTypes }
    var needsAuthorization: Bool { base.needsAuthorization }
    var interceptors: [any Interceptor] { base.interceptors }
    var validators: [Validator] { base.validators }
    var processors: [ResponseProcessor] { base.processors }
    var errorBody: ErrorBody { base.errorBody }
    var coalescing: Coalescing { mayBeWhole ? .separate : base.coalescing }
    var cachePolicy: CachePolicy { base.cachePolicy }
    var tags: [String] { base.tags }
    var priority: RequestPriority { base.priority }
    // A page behind the last is not found at some APIs.
    var removal: Removal { isFirst ? base.removal : .none }

    func request(baseURL: URL) throws -> TransportRequest {
        var request = try base.request(baseURL: baseURL)
        var target = try URLReference(request.urlText)
        switch place.place {
        case .query(let items):
            guard !items.isEmpty else { return request }
            target.removeQueryItems(named: Set(items.keys))
            target.appendQuery(
                items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
            )
        case .url(let url):
            let next = try URLReference(url.absoluteString).resolved(against: target)
            guard next.origin == target.origin else { throw PagingError.otherOrigin }
            target = next
        }
        request.head.path = target.pathAndQuery
        return request
    }
}

extension Endpoint {
    /// The endpoint that the app has enqueued, which is the list's where this is one of its pages.
    var enqueued: any Endpoint {
        guard Self.self == PageEndpoint.self, let page = self as? PageEndpoint else { return self }
        return page.base
    }
}

extension NextPage {
    /// The place without what a server repeats of the items that an interceptor had added, such as a key: it adds them
    /// as they are by then.
    func without(_ names: Set<String>) -> NextPage {
        guard !names.isEmpty, case .url(let url) = place,
            var target = try? URLReference(url.absoluteString), let query = target.query
        else { return self }
        target.removeQueryItems(named: names)
        guard target.query != query else { return self }
        // Without any, it would have those of the page before.
        target.query = target.query ?? ""
        return URL(reference: target.text).map(NextPage.url) ?? self
    }
}

extension URLReference {
    /// Takes items out of the query, by their decoded names.
    mutating func removeQueryItems(named names: Set<String>) {
        guard let query,
            let rest = Self.rest(of: query[...], where: { !names.contains($0.name) })
        else { return }
        self.query = rest.isEmpty ? nil : rest
    }

    /// The rest of a query where not all of its items stay, which are given decoded; nil where all do.
    static func rest(of query: Substring, where stays: (URLQueryItem) -> Bool) -> String? {
        let items = query.split(separator: "&")
        let kept = items.filter { stays(decoded($0)) }
        return kept.count < items.count ? kept.joined(separator: "&") : nil
    }

    /// The name and the value of an item of a query.
    static func decoded(_ item: Substring) -> URLQueryItem {
        func decoded(_ part: Substring) -> String {
            let text = part.replacingOccurrences(of: "+", with: " ")
            return text.removingPercentEncoding ?? text
        }
        let name = item.prefix { $0 != "=" }
        return URLQueryItem(
            name: decoded(name), value: decoded(item.dropFirst(name.count + 1)))
    }
}

/// A walk through the pages of a list that can't go on.
public enum PagingError: Error, Hashable, Sendable {
    /// A page leads to one that has been read.
    case repeatedPage(index: Int)
    /// A page leads to another origin than its own, which is not to see what is sent to this one.
    case otherOrigin
    /// A page leads to another one by what is no URL.
    case unreadablePlace(index: Int)
    /// By ``FetchPolicy/storeOnly`` the store is to answer, for which a walk keeps nothing.
    case nothingKept
}

extension PagingError: CustomStringConvertible {
    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .repeatedPage(let index):
            "page \(index + 1) leads to a page that has been read, so that the walk would never end"
        case .otherOrigin: "the next page is at another origin"
        case .unreadablePlace(let index):
            "page \(index + 1) leads to another one by what is no URL, so that it is not the last"
        case .nothingKept:
            "a walk keeps nothing to answer by, and nobody has enqueued the page by itself"
        }
    }
}
