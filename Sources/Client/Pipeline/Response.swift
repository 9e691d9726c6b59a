public import Foundation
public import HTTPTypes
public import LarderObjectStore

/// The value that a response became, and what came with it.
public struct Response<Value: Sendable>: Sendable {
    /// The value that was asked for.
    public var value: Value

    /// The status.
    public var status: HTTPResponse.Status

    /// The header fields.
    public var headerFields: HTTPFields

    /// The URL that was asked, as interceptors have left it, and where redirects led.
    public var url: URL?

    /// The URLs that led to ``url``, the first first; empty where nothing was redirected.
    public var redirects: [URL]

    /// The counts of what storing the response did, empty where nothing is stored.
    public var report: ImportReport

    /// Where it comes from: the server, unless the client's ``ResponseCache`` had it, or the store answers.
    public var source = ResponseSource.network

    /// The time since the server made or confirmed it, where it comes from a cache or the store.
    public var age: Duration?

    /// The number of objects that the store has no more, and that are left out where it answers.
    public var missingCount = 0

    /// Whether its value is made of the store's objects as they are, whatever the response had brought.
    var isOfStoredObjects = false

    /// The names of the query items that an interceptor had added to the request.
    var addedItems: Set<String> = []

    /// The names by which what the request held is known as secret, which its server may repeat.
    var secretNames: Set<String> = []

    /// Creates a response.
    public init(
        _ value: Value,
        status: HTTPResponse.Status = .ok,
        headerFields: HTTPFields = [:],
        url: URL? = nil,
        redirects: [URL] = [],
        report: ImportReport = ImportReport()
    ) {
        self.value = value
        self.status = status
        self.headerFields = headerFields
        self.url = url
        self.redirects = redirects
        self.report = report
    }

    /// The first link of the given relation type in the `Link` fields (RFC 8288), resolved against
    /// ``url``.
    ///
    /// Links with an `anchor` are passed over, as they are about another resource.
    public func link(rel relation: String) -> URL? {
        let link = LinkField.fields(of: headerFields).first {
            $0.relations.contains(relation.lowercased())
        }
        guard let link, let url, let base = try? URLReference(url.absoluteString),
            let target = try? URLReference(link.target).resolved(against: base)
        else { return nil }
        return URL(reference: target.origin + target.pathAndQuery)
    }

    /// Whether there is a link of the relation type, be it readable or not.
    func hasLink(rel relation: String) -> Bool {
        LinkField.fields(of: headerFields).contains {
            $0.relations.contains(relation.lowercased())
        }
    }
}

extension Response: CustomReflectable {
    /// The value as it is, and what the response says of itself, without what the usual ``Redaction`` names, nor
    /// its client's, nor the names of a ``Credential`` that the request had.
    public var customMirror: Mirror {
        let redaction = Redaction().adding(secretNames)
        return Mirror(
            self,
            children: [
                "value": value, "status": status, "headerFields": redaction.line(headerFields),
                "url": url.map { redaction.url($0.absoluteString) } as Any, "report": report,
                "source": source,
            ],
            displayStyle: .struct)
    }
}

/// The value that a response became, with its status and its header fields: ``Response``, whatever
/// its value is.
///
/// It lets a ``RespondingEndpoint`` fix a `Response<Value>`; no other type need be one.
public protocol WholeResponse: Sendable {
    /// The type of the value that was asked for.
    associatedtype Value: Sendable

    /// Where it comes from.
    var source: ResponseSource { get set }

    /// The time since the server made or confirmed it, where it comes from a cache.
    var age: Duration? { get set }

    /// The number of objects that the store has no more, and that are left out where it answers.
    var missingCount: Int { get set }

    /// Creates a response.
    init(
        _ value: Value, status: HTTPResponse.Status, headerFields: HTTPFields, url: URL?,
        redirects: [URL], report: ImportReport)
}

extension Response: WholeResponse {}

/// A response with what nobody outside asks about.
private protocol NotedResponse {
    var isOfStoredObjects: Bool { get set }
    var addedItems: Set<String> { get set }
    var secretNames: Set<String> { get set }
}

extension Response: NotedResponse {}

extension WholeResponse {
    /// Notes what nobody outside asks about.
    ///
    /// - Parameters:
    ///   - isOfStoredObjects: Whether its value is made of the store's objects as they are.
    ///   - request: What was asked, as interceptors have left it.
    mutating func note(isOfStoredObjects: Bool, of request: TransportRequest) {
        let (addedItems, secretNames) = (request.addedItems, request.namesOfSecrets)
        guard isOfStoredObjects || !addedItems.isEmpty || !secretNames.isEmpty,
            var response = self as? any NotedResponse
        else { return }
        response.isOfStoredObjects = isOfStoredObjects
        (response.addedItems, response.secretNames) = (addedItems, secretNames)
        if let noted = response as? Self { self = noted }
    }
}

/// A response whose value is of any type.
protocol UntypedResponse {
    var untypedValue: any Sendable { get }
}

extension Response: UntypedResponse {
    var untypedValue: any Sendable { value }
}
