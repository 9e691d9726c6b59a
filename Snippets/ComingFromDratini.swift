// Dratini's samples, here.

import Foundation
import Larder

let database = try Store.inMemory(entities: Account.self)

// snippet.queue
extension Client {
    static let shared = Client(baseURL: "http://example.com/", store: database)
}
// snippet.end

// snippet.request
struct LogInRequest: RespondingEndpoint {
    struct Parameters: Encodable {
        var username: String
        var password: String
        var deviceName: String?  // device_name=…, or nothing
    }

    struct Response: Decodable {
        var username: String
        var name: String
    }

    var parameters: Parameters

    let path = "/login"
    let method = HTTPRequest.Method.post
    var body: RequestBody { .form(parameters) }
}
// snippet.end

// snippet.parameters
struct Search: Endpoint {
    struct Parameters: Encodable {
        var searchText: String
        var tags: [String]
    }

    var parameters: Parameters

    let path = "search"
    // search_text=…&tags[]=…&tags[]=…
    var query: QueryParameters { QueryParameters(parameters) }
}

extension JSONEncoder {
    /// For JSON, names are the encoder's affair.
    static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}

func json(_ parameters: Search.Parameters) -> RequestBody {
    .json(parameters, encoder: .snakeCase)
}
// snippet.end

func send(_ username: String, _ password: String) {
    // snippet.send
    let parameters = LogInRequest.Parameters(username: username, password: password)
    let logIn = Client.shared.enqueue(LogInRequest(parameters: parameters))
    logIn
        .then(on: MainActor.shared) { response in show(response.username, response.name) }
        .catch(on: MainActor.shared) { error in show("", "\(error)") }
    // snippet.end

    // snippet.cancel
    print(logIn.isPending)
    logIn.cancel()
    // snippet.end
}

@MainActor func show(_ username: String, _ name: String) {}

// snippet.observe
@Entity struct Account {
    @Identity var username: String
    var name: String
}

/// Sees each account that any request has stored, until it is gone.
@MainActor final class AccountScreen {
    private var observation: StoreObservation?

    init() {
        observation = database.observe(Account.all).start { [weak self] accounts in
            self?.show(accounts)
        }
    }

    private func show(_ accounts: [Account]) {}
}
// snippet.end

// snippet.values
/// Sees what each log-in has brought, until it is gone.
final class Greeter: Sendable {
    init() {
        Client.shared.observeValues(for: self, as: LogInRequest.Response.self) { greeter, logIn in
            greeter.greet(logIn.name)
        }
    }

    private func greet(_ name: String) {}
}
// snippet.end

// snippet.upload
struct UploadRequest: Endpoint {
    let file: URL
    let data: Data

    let path = "files"
    let method = HTTPRequest.Method.post
    var body: RequestBody {
        .multipart([
            .file("list", file, fileName: "list.plist", contentType: "application/x-plist"),
            .data("more", data, fileName: "more.plist", contentType: "application/x-plist"),
        ])
    }
}
// snippet.end

// snippet.states
/// Sees a request before it is sent, and what has become of it.
struct Journal: Interceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        var request = request
        request.head.headerFields[.userAgent] = "Shop/3"
        return next(request).tap(on: .immediate) { result in
            switch result {
            case .success(let response): print(endpoint, response.head.status)
            case .failure(let error): print(endpoint, error)
            }
        }
    }
}

struct WatchedRequest: Endpoint {
    let path = "login"
    let interceptors: [any Interceptor] = [Journal()]
}

/// For all requests it is the client's.
let watched = Client.shared.configured { $0.interceptors.append(Journal()) }
// snippet.end

// snippet.validate
struct Tokenless: Error {}

struct TokenRequest: Endpoint {
    let path = "token"
    let validators = [
        Validator { response, _ in
            guard token(in: response.head.headerFields) != nil else { throw Tokenless() }
        }
    ]
}

func token(in fields: HTTPFields) -> String? {
    HTTPField.Name("Token").flatMap { fields[$0] }
}

func receive() {
    Client.shared.enqueue(TokenRequest(), as: Response<Void>.self)
        .then { response in print(token(in: response.headerFields) ?? "") }
}
// snippet.end

// snippet.body
struct Note: Endpoint {
    let string: String

    let path = "notes"
    let method = HTTPRequest.Method.post
    var body: RequestBody {
        RequestBody(contentType: "my-content-type") { [string] in Data(string.utf8) }
    }
}
// snippet.end
