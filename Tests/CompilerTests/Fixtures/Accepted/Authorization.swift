import Foundation
import Larder

struct Renewal: Endpoint {
    let path = "token"
    let needsAuthorization = false
    var method: HTTPRequest.Method { .post }
    var body: RequestBody? { .json(["refresh_token": token]) }
    var token: String?
}

enum Accounts: Endpoint {
    case logIn, profile

    var path: String { self == .logIn ? "login" : "profile" }
    var needsAuthorization: Bool { self != .logIn }
}

/// A credential store of the app's own.
actor Keys {
    func newest(after old: Credential?) async throws -> Credential { old ?? .bearer("a") }
}

func aCredentialIsMadeByItsKind(_ name: HTTPField.Name) -> [Credential] {
    [
        .basic(user: "ann", password: "secret"), .bearer("a"),
        .bearer("a", refreshToken: "b", expires: .now), .apiKey("a", field: name),
        .apiKey("a", queryItem: "key"), .headerFields([name: "a", .authorization: "b"]),
    ]
}

func whatIsFixedNeedsNoRefresh() {
    print(AuthorizationInterceptor())
    print(AuthorizationInterceptor(nil))
    print(AuthorizationInterceptor(origins: ["https://a.invalid"]))
    print(AuthorizationInterceptor(.bearer("a"), origins: ["https://a.invalid"]))
}

func aPromiseRefreshes(
    _ client: Client, _ keep: @escaping @Sendable (Credential?) -> Void
) -> [AuthorizationInterceptor] {
    [
        AuthorizationInterceptor(.bearer("a")) { old in
            client.enqueue(Renewal(token: old.refreshToken), as: Token.self)
                .then { .bearer($0.text) }
        },
        AuthorizationInterceptor(.bearer("a"), statuses: [401, 419], onChange: keep) { old in
            client.enqueue(Renewal(token: old.refreshToken)).then { (token: Token) in
                .bearer(token.text)
            }
        },
        AuthorizationInterceptor { old in
            print(old as Any)
            return client.enqueue(Renewal(), as: Token.self).then { .bearer($0.text) }
        },
        AuthorizationInterceptor { _ in .fulfilled(.bearer("a")) },
    ]
}

func asyncCodeRefreshes(
    _ keys: Keys, _ keep: @escaping @Sendable (Credential?) -> Void
) -> [AuthorizationInterceptor] {
    [
        AuthorizationInterceptor(.bearer("a")) { old in try await keys.newest(after: old) },
        AuthorizationInterceptor(.bearer("a"), onChange: keep) { old in
            print(old)
            return try await keys.newest(after: old)
        },
        AuthorizationInterceptor(provider: keys.newest),
        AuthorizationInterceptor { try await keys.newest(after: $0) },
        AuthorizationInterceptor(onChange: keep) { old in
            print(old as Any)
            return try await keys.newest(after: old)
        },
        AuthorizationInterceptor { _ in .bearer("a") },
    ]
}
