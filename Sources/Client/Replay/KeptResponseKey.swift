import Foundation
import HTTPTypes
import LarderObjectStore

/// The request that a response is kept for, as the client builds it: the URL, the account, and the fields.
struct KeptResponseKey: Sendable {
    /// The values that tell it from others.
    let parts: [[UInt8]]
    /// The name of the endpoint's type.
    let endpoint: String
    let tags: [String]
    /// Whether it is of a session of which nobody says whose it is: of a credential that interceptors give.
    let isOfSession: Bool

    /// The tag of what goes with such a session.
    static let sessionTag = "larder.session"

    /// Creates the key of a request; nil where no response to it is kept: it may change something, or asks for a
    /// part, or on a condition of its own.
    ///
    /// - Parameters:
    ///   - account: Whoever is logged in; credentials say nothing more then, and may have changed since.
    ///   - isOfSession: Whether interceptors give a credential, and nobody says whose that is.
    ///   - isSecret: Says which fields are credentials.
    init?(
        of request: TransportRequest, for endpoint: any Endpoint, account: String?,
        isOfSession: Bool, isSecret: (HTTPField.Name) -> Bool
    ) {
        let fields = request.head.headerFields
        guard request.head.method == .get, request.body == nil, request.sink == nil,
            !fields.contains(where: { Self.excluding.contains($0.name) })
        else { return nil }
        parts = Self.parts(of: request, account: account) { account != nil && isSecret($0) }
        self.endpoint = Self.name(of: type(of: endpoint))
        tags = isOfSession ? endpoint.tags + [Self.sessionTag] : endpoint.tags
        self.isOfSession = isOfSession
    }

    /// The fields of requests whose responses are about something else than the whole.
    private static let excluding: Set<HTTPField.Name> = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]

    /// The values that tell what a request asks for, and for whom.
    ///
    /// - Parameter isLeftOut: Says which fields are nothing that it asks for.
    static func parts(
        of request: TransportRequest, account: String?, isLeftOut: (HTTPField.Name) -> Bool
    ) -> [[UInt8]] {
        var parts = [Array(request.urlText.utf8), Array((account ?? "").utf8)]
        let fields = request.head.headerFields
        let names = Set(fields.map(\.name)).subtracting([.userAgent]).filter { !isLeftOut($0) }
        for name in names.sorted(by: { $0.canonicalName < $1.canonicalName }) {
            parts.append(Array(name.canonicalName.utf8))
            parts.append(Array(fields[values: name].joined(separator: "\n").utf8))
        }
        return parts
    }

    /// The name of a type of endpoints in the file.
    static func name(of type: any Endpoint.Type) -> String { TypeName.lasting(of: type) }

    /// The digest by which it is found, as the URL and the fields may hold secrets.
    func digest(salt: [UInt8]) -> [UInt8] {
        KeyMaker(salt: salt) { _ in false }.digest(parts)
    }
}
