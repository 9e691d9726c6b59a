// Raccoon's samples, here.

import Foundation
import Larder

// snippet.entity
@Entity struct User {
    @Identity var id: Int
    var name: String
}
// snippet.end

// snippet.client
let store = try Store.inMemory(entities: User.self)  // an app has Store(at: "app.sqlite", …)

var configuration = Client.Configuration()
if let name = HTTPField.Name("APIKEY") {
    configuration.interceptors = [AuthorizationInterceptor(.apiKey("MY API KEY", field: name))]
}
let client = Client(
    baseURL: "http://sampleapi.com/", store: store, configuration: configuration)
// snippet.end

// snippet.declaration
enum UserEndpoint: Endpoint {
    case list
    case detail(id: Int)

    var path: URLPath {
        switch self {
        case .list: "users"
        case .detail(let id): "users/\(id)/"
        }
    }
}
// snippet.end

func users() {
    // snippet.enqueue
    client.enqueue(UserEndpoint.list)
        .then { (users: Many<User>) in print(try users.count) }
        .catch { error in print(error) }

    client.enqueue(UserEndpoint.detail(id: 1))
        .then { (user: User) in print(user) }
        .catch { error in print(error) }
    // snippet.end
}

func cancelling() {
    // snippet.cancel
    let users: CancellablePromise<Many<User>> = client.cancellableEnqueue(UserEndpoint.list)
    users.promise
        .then { users in print(users) }
        .catch { error in print(error) }

    // … later on
    users.cancel()
    // snippet.end
}

// snippet.wrapper
struct LogIn: Wrapper {
    var token: String
    @Stored var user: User
}

/// The same key by key, where names or places differ.
struct MappedLogIn: MappedWrapper {
    var token = ""
    var user: User?

    mutating func map(_ map: WrapperMap) throws {
        try map.read(&token, at: "token")
        try map.read(&user, at: "user")
    }
}
// snippet.end

// snippet.login
struct LogInEndpoint: Endpoint {
    let username: String
    let password: String

    let path = "login/"
    let method = HTTPRequest.Method.post
    var body: RequestBody { .json(["username": username, "password": password]) }
}

func logIn() {
    client.enqueue(LogInEndpoint(username: "username", password: "password"))
        .then { (logIn: LogIn) in
            print(logIn.token)  // to be kept where the app keeps its secrets
            print(logIn.user)  // in the store already
        }
        .catch { error in print(error) }
}
// snippet.end

// snippet.reader
/// Reads JSON that stands in an element of XML, as text.
struct JSONInXML: DocumentReader {
    func document(from response: TransportResponse) throws -> JSONDocument {
        let text = String(decoding: response.body, as: UTF8.self)
        guard let start = text.firstRange(of: "<string>"),
            let end = text.firstRange(of: "</string>"), start.upperBound <= end.lowerBound
        else { throw CocoaError(.coderReadCorrupt) }
        return try JSONDocument(String(text[start.upperBound..<end.lowerBound]))
    }
}

let wrapped = client.configured { $0.documentReader = JSONInXML() }
// snippet.end

// snippet.prepare
/// Changes each request, and says what it has become.
struct Preparation: Interceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        var request = request
        if endpoint is LogInEndpoint { request.timeout = .seconds(10) }
        print(request.curlCommand())
        return next(request)
    }
}

let prepared = client.configured { $0.interceptors.append(Preparation()) }
// snippet.end

// snippet.process
extension Client {
    /// Enqueues an endpoint whose response is stored, and shows that something is under way.
    func load<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self
    ) -> Promise<Value> {
        let activity = Activity()
        return enqueue(endpoint, as: type).finally { activity.end() }
    }
}
// snippet.end

/// What a screen shows while something is under way.
struct Activity: Sendable {
    func end() {}
}

func showing() {
    // snippet.main
    client.load(UserEndpoint.detail(id: 1), as: User.self)
        .then(on: MainActor.shared) { user in show(user) }
    // snippet.end
}

@MainActor func show(_ user: User) {}
