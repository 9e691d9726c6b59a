public import Foundation

/// Names and values of several types, of which a query or a form is made.
///
/// ```swift
/// let parameters: QueryParameters = ["page": 2, "open": true, "labels": ["bug", "new"], "q": text]
/// // page=2&open=true&labels[]=bug&labels[]=new&q=…
/// ```
///
/// Numbers and booleans are written as JSON writes them, dates as ISO 8601 in UTC, bytes as base64. What
/// is nil is left out, also in an array; so is an array or an object without anything in it.
public struct QueryParameters: Sendable {
    /// A way to write an array.
    public enum Arrays: Sendable, Hashable {
        /// `a[]=1&a[]=2`; elements that are arrays or objects are numbered: `a[0][b]=1`.
        case brackets
        /// `a=1&a=2`; elements that are arrays or objects are numbered: `a[0][b]=1`.
        case repeated
        /// `a[0]=1&a[1]=2`.
        case numbered
        /// One value of all elements, which are plain and hold no such text themselves.
        case separated(by: String)

        /// `a=1,2`.
        public static let commas = Arrays.separated(by: ",")
    }

    /// A way to write the members of an object.
    public enum Objects: Sendable, Hashable {
        /// `a[b]=1`.
        case brackets
        /// `a.b=1`.
        case dots
    }

    /// A rule that makes a name from that of a type's property.
    ///
    /// Names that a dictionary has are data, and stay what they are.
    public enum Names: Sendable {
        /// `createdAt` becomes `created_at`, as by `KeyStyle.snakeCase`.
        case snakeCase
        /// The name is the property's.
        case verbatim
        /// A function of the property's name.
        case custom(@Sendable (String) -> String)
    }

    /// What is encoded when the request is built.
    private enum Part: Sendable {
        case item(URLQueryItem)
        case member(String, any Encodable & Sendable, QueryWriter)
        case object(any Encodable & Sendable, QueryWriter)
    }

    private var parts: [Part] = []

    /// Creates parameters of the properties of a value, in the order of their names.
    ///
    /// An `Encodable` that is no object, such as a number, is refused when the request is built.
    @_disfavoredOverload  // A literal keeps its order.
    public init(
        _ value: some Encodable & Sendable, arrays: Arrays = .brackets,
        objects: Objects = .brackets, names: Names = .snakeCase
    ) {
        let writer = QueryWriter(arrays: arrays, objects: objects, names: names)
        parts = [.object(value, writer)]
    }

    /// Creates parameters of names and values, in the order given: `["ids": [1, 2], "q": text]`.
    public init(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>, arrays: Arrays = .brackets,
        objects: Objects = .brackets, names: Names = .snakeCase
    ) {
        self.init(members.lazy.map { ($0.key, $0.value) }, arrays, objects, names)
    }

    /// Creates parameters of items that are there already.
    public init(_ items: [URLQueryItem]) {
        parts = items.map(Part.item)
    }

    private init(
        _ members: some Sequence<(String, (any Encodable & Sendable)?)>, _ arrays: Arrays,
        _ objects: Objects, _ names: Names
    ) {
        let writer = QueryWriter(arrays: arrays, objects: objects, names: names)
        parts = members.compactMap { name, value in
            value.map { Part.member(name, $0, writer) }
        }
    }

    /// The names and values as text, in order.
    ///
    /// - Throws: `EncodingError` where a value can't be encoded, such as a number that is none, or
    ///   ``TransportError/Reason/invalidRequest`` where it has no form as text.
    public func items() throws -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        for part in parts {
            switch part {
            case .item(let item): items.append(item)
            case .member(let name, let value, let writer):
                try writer.write(value, named: name, to: &items)
            case .object(let value, let writer): try writer.write(object: value, to: &items)
            }
        }
        return items
    }

    /// Adds parameters behind those that are there.
    public mutating func append(_ others: QueryParameters) { parts += others.parts }
}

extension QueryParameters: CustomReflectable {
    /// The query that they make, without what the usual ``Redaction`` names.
    public var customMirror: Mirror {
        Mirror(self, children: ["query": redacted], displayStyle: .struct)
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters of names and values, in the order given.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init(elements, .brackets, .brackets, .snakeCase)
    }
}
