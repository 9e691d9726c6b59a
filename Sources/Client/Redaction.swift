import Foundation
public import HTTPTypes

/// What is secret, and what takes its place in errors and logs.
public struct Redaction: Sendable, Hashable {
    /// The header fields whose values are secret.
    public var headerFields: Set<HTTPField.Name>

    /// The query items and JSON fields whose values are secret, by their lower-cased names.
    public var names: Set<String>

    /// Creates a redaction of the usual names and of those given.
    public init(
        headerFields: Set<HTTPField.Name> = [], names: Set<String> = []
    ) {
        self.headerFields = Self.usualHeaderFields.union(headerFields)
        self.names = Self.usualNames.union(names.map { $0.lowercased() })
    }

    /// The fields that carry credentials by their definition.
    public static let usualHeaderFields: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]

    /// The names that APIs give to credentials.
    public static let usualNames: Set<String> = [
        "access_token", "accesstoken", "api_key", "apikey", "auth", "authorization",
        "client_secret", "clientsecret", "code", "id_token", "idtoken", "key", "passwd", "password",
        "refresh_token", "refreshtoken", "secret", "session", "sig", "signature", "token",
    ]

    static let placeholder = "…"

    /// The URL without user information and without the values of secret query items.
    func url(_ text: String) -> String {
        guard var url = try? URLReference(text) else { return Self.placeholder }
        if let authority = url.authority, let at = authority.lastIndex(of: "@") {
            url.authority = String(authority[authority.index(after: at)...])
        }
        let items = url.query?.split(separator: "&", omittingEmptySubsequences: false).map(redacted)
        url.query = items?.joined(separator: "&")
        // A path that was never resolved has no origin.
        return (url.authority == nil ? "" : url.origin) + url.pathAndQuery
    }

    /// The fields as lines of a log.
    func lines(_ fields: HTTPFields) -> String {
        fields.map { field in
            let value = headerFields.contains(field.name) ? Self.placeholder : field.value
            return "\(field.name.rawName): \(value)"
        }.joined(separator: ", ")
    }

    /// The beginning of a response's content, without the values of secret JSON fields.
    func excerpt(of body: Data) -> String {
        let bound = 256
        var text = String(decoding: body.prefix(4 * bound), as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
        text.replace(/"([^"\\]{1,64})"\s*:\s*("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/) { match in
            let isSecret = names.contains(match.1.lowercased())
            return isSecret ? "\"\(match.1)\": \"\(Self.placeholder)\"" : String(match.0)
        }
        let isWhole = text.count <= bound && body.count <= 4 * bound
        return isWhole ? text : text.prefix(bound) + "… (\(body.count) bytes)"
    }

    private func redacted(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = item[..<equals]
        let isSecret = names.contains((name.removingPercentEncoding ?? String(name)).lowercased())
        return isSecret ? "\(name)=\(Self.placeholder)" : String(item)
    }
}
