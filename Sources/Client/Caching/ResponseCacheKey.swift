import Foundation
import HTTPTypes

/// The resource, and the account, that a response is kept for, as digests: the URL may hold a secret, and the
/// credentials are one.
public struct ResponseCacheKey: Sendable, Hashable {
    /// The scheme, host and port in plain text, by which all of a server's responses are found.
    public let origin: String

    /// The digest of the URL.
    public let resource: [UInt8]

    /// The digest of the request's credentials: `Authorization`, `Cookie`, whatever other fields the client's
    /// ``Redaction`` names as secret, and those of a ``Credential``.
    public let account: [UInt8]
}

/// Makes keys, with a salt that nobody else has.
struct KeyMaker: Sendable {
    let salt: [UInt8]
    /// Whether a request's field is a credential.
    let isSecret: @Sendable (HTTPField.Name) -> Bool

    /// The same for a request, of which interceptors have said what else is one.
    func keys(for request: TransportRequest) -> KeyMaker {
        guard !request.secretNames.isEmpty else { return self }
        let names = Set(request.secretNames.compactMap { HTTPField.Name($0) })
        return KeyMaker(salt: salt) { names.contains($0) || isSecret($0) }
    }

    func key(of request: TransportRequest) -> ResponseCacheKey? {
        guard let url = try? URLReference(request.urlText) else { return nil }
        let resource = resource(url)
        var names: [String] = []
        for field in request.head.headerFields where isSecret(field.name) {
            names.append(field.name.canonicalName)
        }
        var parts = [resource]
        for name in Set(names).sorted() {
            guard let name = HTTPField.Name(name) else { continue }
            parts.append(Array(name.canonicalName.utf8))
            parts += request.head.headerFields[values: name].map { Array($0.utf8) }
        }
        return ResponseCacheKey(origin: url.origin, resource: resource, account: digest(parts))
    }

    /// The digest of a URL.
    func resource(_ url: URLReference) -> [UInt8] {
        digest([Array((url.origin + url.pathAndQuery).utf8)])
    }

    /// The digest of several values, none of which runs into the next.
    func digest(_ parts: [[UInt8]]) -> [UInt8] {
        var bytes = salt
        for part in parts {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes += $0 }
            bytes += part
        }
        return Array(SHA256Digest.digest(of: bytes).prefix(16))
    }

    /// A salt that is made once for each cache.
    static func makeSalt() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
