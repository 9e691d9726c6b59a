// Remotli's samples, here.

import Foundation
import Larder

let store = try Store.inMemory(entities: User.self)

// snippet.model
struct Person: Decodable {
    var identifier: String
    var firstName: String
    var lastName: String
    var phone: String?

    enum CodingKeys: String, CodingKey {
        case identifier, phone
        case firstName = "first_name"
        case lastName = "last_name"
    }
}

/// The same as an object that stays.
@Entity(keys: .snakeCase) struct User {
    @Identity var identifier: String
    var firstName: String
    var lastName: String
    var phone: String?
    @Attribute("pending_verification") var isPendingVerification = false
}
// snippet.end

// snippet.host
let host = Client(baseURL: "https://my-remote-api.com/", store: store)
// snippet.end

func logIn(_ username: String, _ password: String) {
    // snippet.send
    host.enqueue(.post("user/login", body: .json(["username": username, "password": password])))
        .then { (user: User) in print(user.firstName) }
        .catch { error in print(error) }
    // snippet.end
}

// snippet.route
/// A value with everything but the path at its default.
let configurationRoute = AdHocEndpoint(
    .post, "/api/mas/0.2/app_config/fetch", body: .form(["app_id": "MY_APP_ID"]))

func fetch() -> Promise<JSONDocument> {
    host.enqueue(configurationRoute)
}
// snippet.end

// snippet.class
final class ConfigurationRoute: Endpoint {
    let path = "/api/mas/0.2/app_config/fetch"
    let method = HTTPRequest.Method.post
    let body: RequestBody?

    init(appID: String, token: String) {
        body = .form(["app_id": appID, "token": token])
    }
}
// snippet.end

// snippet.enum
enum TokenRoute: Endpoint {
    case anonymous
    case refresh(token: String)
    case credential
    case social

    var path: URLPath { "/v1/tokens" }
    var method: HTTPRequest.Method { .post }
    var needsAuthorization: Bool { false }
    var headerFields: HTTPFields { [.acceptLanguage: "en-us"] }

    var body: RequestBody? {
        switch self {
        case .anonymous: .json(["type": "ANONYMOUS"])
        case .refresh(let token): .json(["type": "REFRESH", "credential": token])
        case .credential: .json(["type": "CREDENTIAL"])
        case .social: .json(["type": "SOCIAL"])
        }
    }
}

struct Token: Decodable {
    var token: String
}

func token() -> Promise<Token> {
    host.enqueue(TokenRoute.anonymous)
}
// snippet.end

// snippet.static
extension Endpoint where Self == AdHocEndpoint {
    static func logIn(username: String, password: String) -> AdHocEndpoint {
        .post(
            "/v1/tokens",
            body: .json([
                "name": username, "credentialType": "CREDENTIAL", "credential": password,
            ]))
    }
}

func user(_ username: String, _ password: String) -> Promise<User> {
    host.enqueue(.logIn(username: username, password: password))
}
// snippet.end

// snippet.api
/// All that the app asks of one service.
final class MySiteAPI: Sendable {
    let client: Client

    init(store: Store) {
        var configuration = Client.Configuration()
        configuration.interceptors = [
            AuthorizationInterceptor(.basic(user: "my-user", password: "secret-password"))
        ]
        client = Client(
            baseURL: "https://my-host-api.com/", store: store, configuration: configuration)
    }

    func token() -> Promise<Token> {
        client.enqueue(TokenRoute.anonymous)
    }

    func logIn(username: String, password: String) -> Promise<User> {
        client.enqueue(.logIn(username: username, password: password))
    }
}
// snippet.end

// snippet.sites
/// Several services, one store: what they say of the same user is one row.
struct Sites {
    let google: Client
    let flickr: Client

    init(store: Store) {
        var patient = Client.Configuration()
        patient.timeout = .seconds(120)
        patient.cookies = CookieJar()
        google = Client(
            baseURL: "https://google.com/", store: store, configuration: patient)
        flickr = Client(baseURL: "https://flickr.com/", store: store)
    }
}
// snippet.end

// snippet.errors
struct ErrorResponse: Decodable {
    var name: String
    var description: String
    var detail: String?
}

let talkative = host.configured { $0.errorBody = .json(ErrorResponse.self) }

func explain() {
    talkative.enqueue(TokenRoute.social, as: Token.self)
        .catch(only: ClientError.self) { error in
            let code = error.status?.code ?? 0
            if let response = error.details as? ErrorResponse { print(code, response.description) }
        }
}
// snippet.end
