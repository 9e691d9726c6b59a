public import Foundation
import HTTPTypes
public import LarderObjectStore

/// The way from one page of a list to the next.
///
/// ```swift
/// client.pages(Notes(), as: Many<Note>.self)                                    // by Link, rel="next"
/// client.pages(Notes(), as: Many<Note>.self, by: .header("X-Next-Page", query: "page"))
/// client.pages(Feed(), as: Feed.self, by: .cursor(query: "after") { $0.nextCursor })
/// client.pages(Notes(), as: Many<Note>.self, by: .number(query: "page"))
/// ```
///
/// A walk is stable where the server goes on behind the last object that it has given, however many have come
/// and gone before that. Where it counts instead, by pages or an offset, an object may slip through between two
/// pages though it is there: what is missing is looked for by a second walk before it is taken to have vanished.
public struct Paging<Value: Sendable>: Sendable {
    /// A rule for pages whose number is known, which need not wait for each other.
    struct Parallel: Sendable {
        let limit: Int
        let lastPage: @Sendable (Response<Value>) throws -> Int?
        let place: @Sendable (_ index: Int) -> NextPage
    }

    /// A rule that finds a place by a page.
    typealias Rule =
        @Sendable (_ page: Response<Value>, _ position: PagePosition) throws -> NextPage?

    /// The place of the first page.
    let first: NextPage
    /// The place of the page after one, nil where that is the last.
    let next: Rule
    let isStable: Bool
    var parallel: Parallel?
    /// The place behind a first page that has fewer elements than it could have, which is the last one unless the
    /// server gives no more at a time; nil behind any other.
    var further: Rule?
    /// Counts the elements of a page, where that says which is the last.
    var count: (@Sendable (Response<Value>, PagePosition) throws -> Int)?

    init(
        first: NextPage = .query([:]), isStable: Bool,
        next: @escaping @Sendable (Response<Value>, PagePosition) throws -> NextPage?
    ) {
        self.first = first
        self.isStable = isStable
        self.next = { page, position in
            try next(page, position)?.without(page.addedItems)
        }
    }
}

extension Paging {
    /// By the link of a relation type in the `Link` fields (RFC 8288).
    ///
    /// - Parameter isStable: Whether the links hold a place in the list, as cursors do, and no number.
    public static func link(rel relation: String = "next", isStable: Bool = false) -> Paging {
        Paging(isStable: isStable) { page, position in
            if let url = page.link(rel: relation) { return .url(url) }
            guard !page.hasLink(rel: relation) else { throw position.unreadable }
            return nil
        }
    }

    /// By a header field that holds what an item of the query is on the next page, or its URL, which begins
    /// with a scheme, `/` or `?`; without it, or where it is empty, a page is the last.
    public static func header(
        _ name: String = "Next-Page", query item: String = "page", isStable: Bool = false
    ) -> Paging {
        Paging(isStable: isStable) { page, position in
            guard let field = HTTPField.Name(name), let value = page.headerFields[field],
                !value.isEmpty
            else { return nil }
            // A cursor in Base64 has slashes, too.
            guard value.hasPrefix("/") || value.hasPrefix("?") || value.contains("://") else {
                return .query([item: value])
            }
            guard let url = URL(reference: value, relativeTo: page.url) else {
                throw position.unreadable
            }
            return .url(url.absoluteURL)
        }
    }

    /// By a cursor that a page has for the next; nil or empty, it is the last.
    ///
    /// - Parameter isStable: Whether no change of an object moves it in the list, as that of a list by the time of
    ///   the last change does.
    public static func cursor(
        query item: String, isStable: Bool = true,
        _ cursor: @escaping @Sendable (Value) throws -> String?
    ) -> Paging {
        Paging(isStable: isStable) { page, _ in
            guard let cursor = try cursor(page.value), !cursor.isEmpty else { return nil }
            return .query([item: cursor])
        }
    }

    /// By a closure that says where the next page is, nil behind the last.
    public static func next(
        isStable: Bool = false,
        _ next: @escaping @Sendable (Response<Value>) throws -> NextPage?
    ) -> Paging {
        Paging(isStable: isStable) { page, _ in try next(page) }
    }

    /// By number, up to a page without elements, or one that is not found (404).
    ///
    /// - Parameters:
    ///   - size: The number of elements that a page has unless it is the last; nil where it is not known.
    ///   - count: Counts the elements of a page, those that were left out of a lossy list too.
    public static func number(
        query item: String, from first: Int = 1, size: Int? = nil,
        count: @escaping @Sendable (Value) throws -> Int
    ) -> Paging {
        number(query: item, from: first, size: size) { page, _ in try count(page.value) }
    }

    fileprivate static func number(
        query item: String, from first: Int, size: Int?,
        _ count: @escaping @Sendable (Response<Value>, PagePosition) throws -> Int
    ) -> Paging {
        let place: @Sendable (Int) -> NextPage = { .query([item: String(first &+ $0)]) }
        var paging = Paging(first: place(0), isStable: false) { page, position in
            let count = try count(page, position)
            return count == 0 || count < size ?? 0 ? nil : place(position.index + 1)
        }
        paging.count = count
        paging.further = { page, position in
            let count = try count(page, position)
            return count > 0 && count < size ?? 0 ? place(1) : nil
        }
        return paging
    }

    /// By number, several pages at a time, once the first one says which is the last.
    ///
    /// Pages come in their order all the same. Such a walk finds nothing that has vanished.
    ///
    /// - Parameters:
    ///   - limit: The number of pages that are asked for at the same time.
    ///   - lastPage: The number of the last page by the first one, such as of the field `X-Total-Pages`; nil where
    ///     that is the only one.
    public static func number(
        query item: String, from first: Int = 1, atOnce limit: Int,
        upTo lastPage: @escaping @Sendable (Response<Value>) throws -> Int?
    ) -> Paging {
        let place: @Sendable (Int) -> NextPage = { .query([item: String(first &+ $0)]) }
        var paging = Paging(first: place(0), isStable: false) { _, _ in nil }
        paging.parallel = Parallel(
            limit: max(limit, 1),
            lastPage: { page in
                // The server's number may be any.
                try lastPage(page).map { last in
                    let (index, overflows) = last.subtractingReportingOverflow(first)
                    return overflows ? (last < 0 ? 0 : .max) : index
                }
            }, place: place)
        return paging
    }

    /// By the number of elements before a page, up to a page without any, or one that is not found (404).
    ///
    /// - Parameter count: Counts the elements of a page, those that were left out of a lossy list too.
    public static func offset(
        query item: String, size: Int, sizeQuery: String? = nil,
        count: @escaping @Sendable (Value) throws -> Int
    ) -> Paging {
        offset(query: item, size: size, sizeQuery: sizeQuery) { page, _ in try count(page.value) }
    }

    fileprivate static func offset(
        query item: String, size: Int, sizeQuery: String?,
        _ count: @escaping @Sendable (Response<Value>, PagePosition) throws -> Int
    ) -> Paging {
        let place: @Sendable (Int) -> NextPage = { offset in
            var items: [String: String] = [item: String(offset)]
            if let sizeQuery { items[sizeQuery] = String(size) }
            return .query(items)
        }
        var paging = Paging(first: place(0), isStable: false) { page, position in
            try count(page, position) < max(size, 1) ? nil : place((position.index + 1) &* size)
        }
        paging.count = count
        paging.further = { page, position in
            let count = try count(page, position)
            return count > 0 && count < size ? place(count) : nil
        }
        return paging
    }
}

extension Paging where Value: PageContent {
    /// By number, up to a page without elements, or one that is not found (404).
    ///
    /// - Parameter size: The number of elements that a page has unless it is the last; nil where it is not known.
    public static func number(query item: String, from first: Int = 1, size: Int? = nil) -> Paging {
        number(query: item, from: first, size: size) { page, position in
            try position.elementCount ?? page.value.elementCount
        }
    }

    /// By the number of elements before a page, up to a page with fewer of them than it could have,
    /// or one that is not found (404).
    public static func offset(query item: String, size: Int, sizeQuery: String? = nil) -> Paging {
        offset(query: item, size: size, sizeQuery: sizeQuery) { page, position in
            try position.elementCount ?? page.value.elementCount
        }
    }
}

/// What a walk knows of a page that it has read.
struct PagePosition: Sendable {
    /// The number of pages before it.
    let index: Int
    /// The number of its elements as they stand in the JSON, nil where that is no list: objects that stand in it
    /// twice, say that they are gone, or have not arrived, are elements too.
    let elementCount: Int?

    /// The error of one that leads to another one by what is no URL.
    var unreadable: PagingError { .unreadablePlace(index: index) }
}

/// The place of a page.
public struct NextPage: Sendable {
    enum Place: Sendable, Hashable {
        case query([String: String])
        case url(URL)
    }

    let place: Place

    /// The endpoint with these items in its query, instead of those of their names.
    public static func query(_ items: [String: String]) -> NextPage {
        NextPage(place: .query(items))
    }

    /// A URL of the same origin, as a server gives it; the rest of the request stays as it is.
    public static func url(_ url: URL) -> NextPage { NextPage(place: .url(url.absoluteURL)) }

    /// The same place, of a list with one more item in its query; a server's URL has all that it needs.
    func adding(_ value: String, at item: String) -> NextPage {
        guard case .query(var items) = place else { return self }
        items[item] = items[item] ?? value
        return .query(items)
    }

    /// What tells places apart.
    var key: String {
        switch place {
        case .query(let items):
            items.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        case .url(let url): url.absoluteString
        }
    }
}

extension NextPage: Hashable {}

/// A page whose elements can be counted.
public protocol PageContent {
    /// The number of its elements, those that were left out of a lossy list too.
    var elementCount: Int { get throws }
}

extension Array: PageContent {
    /// The number of elements.
    public var elementCount: Int { count }
}

extension Many: PageContent {
    /// The number of elements of a list that has arrived, as they stand in the JSON: more than its objects where
    /// one stands in it twice, or says that it is gone.
    public var elementCount: Int { listedCount }
}

extension LossyList: PageContent {
    /// The number of elements, those that were left out too: a page of which nothing fits is not empty.
    public var elementCount: Int { elements.listedCount + skipped.count }
}
