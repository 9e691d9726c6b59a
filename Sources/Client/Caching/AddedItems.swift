import Foundation
import HTTPTypes

/// The items of a request's query that an interceptor has added, such as a key, and servers repeat in URLs.
struct AddedItems: Sendable {
    /// Their decoded names and values.
    private var items: Set<URLQueryItem> = []

    /// The length from which on a value is no word that may stand anywhere.
    private static let leastLength = 8

    init() {}

    init(of request: TransportRequest) {
        guard !request.addedItems.isEmpty, let path = request.head.path,
            let mark = path.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return }
        let query = path[path.utf8.index(after: mark)...].prefix { $0 != "#" }
        for item in query.split(separator: "&") {
            let decoded = URLReference.decoded(item)
            if request.addedItems.contains(decoded.name) { items.insert(decoded) }
        }
    }

    /// A field as it may be kept; nil where it has the value of one of them elsewhere.
    func removed(from field: HTTPField) -> HTTPField? {
        guard !items.isEmpty, ![.eTag, .lastModified, .vary].contains(field.name) else {
            return field
        }
        var (field, text) = (field, removed(from: field.value))
        if text != field.value { field.value = text }
        // A URL may be an item of another one.
        for _ in 0..<3 {
            let spaced = text.replacingOccurrences(of: "+", with: " ")
            let isThere = items.compactMap(\.value).contains { value in
                value.utf8.count >= Self.leastLength
                    && (text.contains(value) || spaced.contains(value))
            }
            if isThere { return nil }
            guard let decoded = text.removingPercentEncoding, decoded != text else { break }
            text = decoded
        }
        return field
    }

    /// A value without them in the queries of the URLs that stand in it, each up to a quote, a bracket or a space.
    private func removed(from value: String) -> String {
        var (result, rest) = ("", value[...])
        while let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            let first = rest.utf8.index(after: mark)
            let end = rest.utf8[first...].firstIndex { "<>\"# ".utf8.contains($0) } ?? rest.endIndex
            let query = rest[first..<end]
            result += rest[..<first]
            result += URLReference.rest(of: query, where: { !items.contains($0) }) ?? String(query)
            rest = rest[end...]
        }
        return result + rest
    }
}
