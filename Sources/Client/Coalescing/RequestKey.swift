import Foundation
import HTTPTypes

/// What two requests have to have in common for the response to one to be the response to the other.
///
/// The content itself, rather than a digest of it, which two contents may have in common; it is in memory as
/// long as the request is.
struct RequestKey: Hashable {
    private let head: HTTPRequest
    private let body: Data?
    private let limits: TransportLimits?
    /// What would be left out of logs.
    private let secretNames: Set<String>
    private let redirects: RedirectPolicy
    private let sharedHeaderFields: Set<HTTPField.Name>
    private let ignored: Set<HTTPField.Name>

    init(
        _ request: TransportRequest, ignoring ignored: Set<HTTPField.Name>,
        redirects: RedirectPolicy, sharing sharedHeaderFields: Set<HTTPField.Name>
    ) {
        var head = request.head
        for name in ignored { head.headerFields[name] = nil }
        self.head = head
        body = request.body
        limits = request.limits
        secretNames = request.secretNames
        self.redirects = redirects
        self.sharedHeaderFields = sharedHeaderFields
        self.ignored = ignored
    }
}
