// A token that is replaced once the server refuses it, and kept where the app keeps its secrets.

import Foundation
import Larder

// snippet.tokens
struct Tokens: Decodable {
    var accessToken: String
    var refreshToken: String
    var expiresIn: Double

    var credential: Credential {
        .bearer(accessToken, refreshToken: refreshToken, expires: Date.now + expiresIn)
    }
}

struct Renewal: Endpoint {
    let path = "token"
    let method = HTTPRequest.Method.post
    let needsAuthorization = false
    let refreshToken: String?

    var body: RequestBody? { .form(["refresh_token": refreshToken ?? ""]) }
}
// snippet.end

/// What the system keeps for the app, such as its keychain.
enum Keychain {
    static func keep(_ data: Data?) {}
    static func kept() -> Data? { nil }
}

let store = try Store.inMemory()

// snippet.client
/// OAuth's `access_token` is what `Tokens` has as `accessToken`.
let accounts = Client(
    baseURL: "https://accounts.example.com/", store: store,
    configuration: .init(decodingOptions: DecodingOptions(keys: .convertFromSnakeCase)))
let kept = try Keychain.kept().map { try JSONDecoder().decode(Credential.self, from: $0) }

let authorization = AuthorizationInterceptor(
    kept,
    onChange: { credential in
        Keychain.keep(credential.flatMap { try? JSONEncoder().encode($0) })
    },
    refreshing: { old in
        accounts.enqueue(Renewal(refreshToken: old.refreshToken), as: Tokens.self)
            .then { $0.credential }
    })

var configuration = Client.Configuration()
configuration.interceptors = [RetryInterceptor(), authorization]
let client = Client(
    baseURL: "https://api.example.com/", store: store, configuration: configuration)
// snippet.end

// snippet.session
/// Returns the client for all that is asked in the session; the name is kept with the credential.
func logIn(_ name: String, _ tokens: Tokens) -> Client {
    authorization.logIn(tokens.credential)
    return client.configured { $0.account = name }
}

func logOut() -> Promise<Void> {
    client.logOut()
}
// snippet.end

// snippet.fixed
let password = AuthorizationInterceptor(.basic(user: "ann", password: "open sesame"))
let key = AuthorizationInterceptor(.apiKey("8f14e45f", queryItem: "api_key"))
// snippet.end

/// Where an app has its tokens from, such as a library of the identity provider's.
actor Session {
    func token(isRefused: Bool) async throws -> String { "" }
}

let session = Session()

// snippet.provider
let provided = AuthorizationInterceptor { old in
    .bearer(try await session.token(isRefused: old != nil))
}
// snippet.end
