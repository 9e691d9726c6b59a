public import Foundation
public import HTTPTypes

/// What proves to a server who asks: header fields or a query item, and how long they serve.
///
/// Its description, and what `dump` shows of it, tell the names and no values. What it is encoded to holds
/// the secrets, to be kept where those may be, such as in the keychain.
public struct Credential: Sendable, Hashable, Codable {
    /// A header field or a query item.
    struct Item: Sendable, Hashable, Codable {
        var name: String
        var value: String
    }

    /// The header fields that requests are given.
    private(set) var fields: [Item] = []

    /// The query items that requests are given.
    private(set) var queryItems: [Item] = []

    /// The time from which it is refreshed before it is sent; nil where only the server knows.
    public var expires: Date?

    /// The token that the next credential is asked for with, which no request is given.
    public var refreshToken: String?

    /// Creates a credential of a name and a password, for `Authorization: Basic` (RFC 7617).
    ///
    /// A name with a colon can't be told from its password, and requests are rejected with it as
    /// ``TransportError/Reason/invalidRequest``.
    public static func basic(user: String, password: String) -> Credential {
        // No value of a field has a line feed, and so this one is refused.
        let text =
            user.contains(":") ? "\n" : Data("\(user):\(password)".utf8).base64EncodedString()
        return Credential(fields: [Item(name: "Authorization", value: "Basic \(text)")])
    }

    /// Creates a credential of a token, for `Authorization: Bearer` (RFC 6750).
    public static func bearer(
        _ token: String, refreshToken: String? = nil, expires: Date? = nil
    ) -> Credential {
        Credential(
            fields: [Item(name: "Authorization", value: "Bearer \(token)")], expires: expires,
            refreshToken: refreshToken)
    }

    /// Creates a credential of a key in a header field, such as `X-API-Key`.
    public static func apiKey(_ key: String, field: HTTPField.Name) -> Credential {
        Credential(fields: [Item(name: field.rawName, value: key)])
    }

    /// Creates a credential of a key in a query item.
    ///
    /// Errors and logs leave its value out, whatever its name; a response's `url` has it.
    public static func apiKey(_ key: String, queryItem name: String) -> Credential {
        Credential(queryItems: [Item(name: name, value: key)])
    }

    /// Creates a credential of header fields of a server's own.
    ///
    /// Values that no header field may have are refused when a request is sent, as
    /// ``TransportError/Reason/invalidRequest``.
    public static func headerFields(
        _ fields: KeyValuePairs<HTTPField.Name, String>, refreshToken: String? = nil,
        expires: Date? = nil
    ) -> Credential {
        Credential(
            fields: fields.map { Item(name: $0.key.rawName, value: $0.value) }, expires: expires,
            refreshToken: refreshToken)
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of what requests are given, and the time when it expires.
    public var description: String {
        var parts = fields.map { "\($0.name): …" } + queryItems.map { "?\($0.name)=…" }
        if let expires { parts.append("expires \(expires)") }
        return "Credential(\(parts.joined(separator: ", ")))"
    }

    /// The description.
    public var debugDescription: String { description }

    /// The names of what requests are given, and the time when it expires.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "headerFields": fields.map(\.name), "queryItems": queryItems.map(\.name),
                "expires": expires as Any,
            ],
            displayStyle: .struct)
    }
}
