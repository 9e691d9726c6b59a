import Foundation
public import HTTPTypes
import LarderObjectStore

/// The rules by which secrets are left out of errors and logs.
///
/// It works by names: of header fields, of query items, and of whatever stands before a value in a
/// response's content, be it JSON, a form, XML or text. Of an element of XML all that is in it is left out,
/// its attributes included; of pairs such as `"name": "password", "value": …` the value, also where the name is one in
/// a JSON Pointer, as in a JSON Patch's `"path": "/user/password"`, and of a list of pairs such
/// as `[["password", …]]`; and, whatever is named, who asks in a URL, as in `https://…@h`. It sees through what
/// is escaped by JSON, percent-encoded or made of HTML's entities, also where that is done several times over. Where it is
/// not clear where a value ends, more is left out, up to the end of its line; behind an equals sign it ends at a
/// space, as in a log's `token=a user=b`, unless it is in quotes. Where a text is cut
/// off, what may have been a secret's is left out, too. A secret without a name, in the
/// middle of a sentence or of a path, is not found.
public struct Redaction: Sendable, Hashable {
    /// The header fields whose values are secret, besides those whose name is one by ``names``.
    public var headerFields: Set<HTTPField.Name>

    /// The words that make a name a secret's, whatever its case, accents and signs between words.
    ///
    /// `password` also covers `user_password` and `newPassword`; a word of up to four letters, such as
    /// `pin`, has to stand by itself, as in `user_pin`. Names that end in a word such as `type` or
    /// `count` are none of secrets unless they are given here, nor are truth values.
    ///
    /// `code` and `key` cover these names alone. They are secret in URLs and forms; in JSON and text a
    /// server's `"code": "not_found"` is shown, and only what looks like a credential is hidden:
    /// sixteen characters or more with letters and digits, and every `code` beside names of OAuth 2.
    public var names: Set<String>

    /// Creates a redaction of the usual names and of those given.
    public init(
        headerFields: Set<HTTPField.Name> = [], names: Set<String> = []
    ) {
        self.headerFields = Self.usualHeaderFields.union(headerFields)
        self.names = Self.usualNames.union(names)
    }

    /// The fields that carry credentials by their definition.
    public static let usualHeaderFields: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]

    /// The names that APIs give to credentials.
    public static let usualNames: Set<String> = [
        "access key", "api key", "assertion", "auth", "authorization", "bearer", "code",
        "code verifier", "cookie", "credential", "csrf", "cvc", "cvv", "device code",
        "encryption key", "jwt", "key", "license key", "otp", "pass", "passcode", "passphrase",
        "passwd", "password", "pin", "private key", "pwd", "secret", "session", "sid", "sig",
        "signature", "signing key", "ssn", "subscription key", "token", "user code",
        "verification code", "xsrf",
    ]

    static let placeholder = "…"

    /// The names that it has besides the usual ones.
    var ownNames: Set<String> {
        let fields = headerFields.subtracting(Self.usualHeaderFields).map(\.rawName)
        return names.subtracting(Self.usualNames).union(fields)
    }

    /// The redaction of further names.
    package func adding(_ names: Set<String>) -> Redaction {
        guard !names.isEmpty else { return self }
        var redaction = self
        redaction.names.formUnion(names)
        return redaction
    }

    /// The URL without user information and without the values of secret query items.
    package func url(_ text: String) -> String {
        guard var url = try? URLReference(text) else { return Self.placeholder }
        if let authority = url.authority, let at = authority.lastIndex(of: "@") {
            url.authority = String(authority[authority.index(after: at)...])
        }
        let items = url.query?.split(separator: "&", omittingEmptySubsequences: false).map(redacted)
        url.query = items?.joined(separator: "&")
        // Not only items have names: `/a;token=…` and `?url=http://h/?token=…` do, too.
        guard url.authority == nil || url.scheme == nil else {
            return url.origin + RedactedText.of(Data(url.pathAndQuery.utf8), .url, by: self)
        }
        // What was never resolved has no origin, and may be a mistyped URL.
        return RedactedText.of(Data(url.text.utf8), .url, by: self)
    }

    /// The fields as a line of a log.
    func line(_ fields: HTTPFields) -> String {
        fields.map { field in
            let isShown =
                !isSecret(field.name)
                || !headerFields.contains(field.name)
                    && SecretNames.isCount(field.value.utf8, of: field.name.rawName)
            let value = isShown ? text(field.value) : Self.placeholder
            return "\(field.name.rawName): \(value)"
        }.joined(separator: ", ")
    }

    /// Whether the value of a header field is left out.
    package func isSecret(_ name: HTTPField.Name) -> Bool {
        headerFields.contains(name) || secrecy(of: name.rawName) != .none
    }

    /// The beginning of a response's content, without the values of secret names.
    func excerpt(of body: Data) -> String {
        let bound = 256
        let sight = 16 * bound
        let text = RedactedText.of(body.prefix(sight), isCut: body.count > sight, by: self)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
        let isWhole = text.count <= bound && body.count <= sight
        return isWhole ? text : text.prefix(bound) + "… (\(body.count) bytes)"
    }

    /// Returns the description of an error without the values of secret names.
    func text(of error: any Error) -> String {
        switch error {
        case let error as MappingError:
            return isSecret(place: "\(error.attribute ?? "").\(error.path)")
                ? "\(error.entity).\(error.attribute ?? "") at \(error.path): the value does not fit"
                : text("\(error)")
        case let error as DecodingError:
            let path = error.codingPath.map(\.stringValue)
            guard path.contains(where: { secrecy(of: $0) != .none }) else { break }
            return "DecodingError at \(path.joined(separator: ".")): the value does not fit"
        case var error as ClientError:
            // One of a handler's own knows the usual names only.
            error.redaction = adding(error.redaction.names)
            return "\(error)"
        case is JSONError, is StoreError:
            return "\(error)"
        default:
            break
        }
        return text("\(error)")
    }

    /// The text without the values of secret names, or its first 4 KiB.
    package func text(_ text: String, upTo bound: Int = 4096) -> String {
        let bytes = Data(text.utf8.prefix(bound))
        let isWhole = text.utf8.count <= bound
        return RedactedText.of(bytes, isCut: !isWhole, by: self)
            + (isWhole ? "" : "… (\(text.utf8.count) bytes)")
    }

    private func isSecret(place: String) -> Bool {
        place.split(whereSeparator: { ".[]".contains($0) })
            .contains { secrecy(of: String($0)) != .none }
    }

    private func redacted(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = item[..<equals]
        let plain = name.removingPercentEncoding ?? String(name)
        let value = item[equals...].dropFirst().utf8
        let isSecret = secrecy(of: plain) != .none && !SecretNames.isCount(value, of: plain)
        return isSecret ? "\(name)=\(Self.placeholder)" : String(item)
    }
}

extension DecodingError {
    /// The path to the place in the content that the error is about.
    fileprivate var codingPath: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        @unknown default: []
        }
    }
}

extension Redaction {
    /// The degree to which a name makes its value a secret.
    enum Secrecy: Comparable {
        /// Not at all.
        case none
        /// In JSON and text, only if the value looks like a credential.
        case ifOpaque
        /// Whatever the value is.
        case always
    }

    /// Whether what stands behind a name is to be hidden.
    func secrecy(of name: String) -> Secrecy {
        SecretNames.of(names).secrecy(of: name)
    }

    /// Whether a value could be a key or a token: nothing that a person would have written.
    static func isOpaque(_ value: some Collection<UInt8>) -> Bool {
        value.count >= 16 && value.allSatisfy { $0 > 0x20 }
            && value.contains(where: SecretNames.isDigit)
            && value.contains(where: SecretNames.isLetter)
    }
}
