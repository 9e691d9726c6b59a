// What Alamofire's guides show, here.

import Foundation
import Larder

// snippet.client
let store = try Store.inMemory()
let client = Client(baseURL: "https://httpbin.org/", store: store)
// snippet.end

struct Answer: Decodable {
    var url: String
}

struct Login: Encodable {
    var email: String
    var password: String
}

func requests() {
    // snippet.requests
    client.enqueue(.get("get"), as: Answer.self)
        .then { answer in print(answer.url) }
        .catch { error in print(error) }

    client.enqueue(.post("post", body: .json(["n": 1])))
    client.enqueue(.put("put"))
    client.enqueue(.delete("delete"))

    // The status and the header fields too.
    client.enqueue(.get("get"), as: Response<Answer>.self)
        .then { response in print(response.status, response.headerFields, response.value.url) }
    // snippet.end
}

func parameters(_ login: Login) {
    // snippet.parameters
    client.enqueue(.post("post", body: .json(login)))
    client.enqueue(.post("post", body: .form(login)))
    client.enqueue(.get("get", query: ["foo": "bar", "baz": ["a", "b"]]))
    client.enqueue(.get("get", query: QueryParameters(login, arrays: .repeated, names: .verbatim)))
    client.enqueue(
        .get("headers", headerFields: [.accept: "application/json"], timeout: .seconds(5)))
    // snippet.end
}

func responses() {
    // snippet.responses
    client.enqueue(.get("get"), as: Data.self).then { data in print(data.count) }
    client.enqueue(.get("get"), as: String.self).then { text in print(text) }
    client.enqueue(.get("get"), as: JSONDocument.self)
        .then { json in print(json.root["url"]?.string ?? "") }
    client.enqueue(.get("get"), as: Answer.self)
        .then(on: MainActor.shared) { answer in show(answer) }
    // snippet.end
}

@MainActor func show(_ answer: Answer) {}

// snippet.await
func answer() async throws -> Answer {
    try await client.enqueue(.get("get")).value
}
// snippet.end

func validation() {
    // snippet.validation
    // 200 to 299 is the default; whatever comes is `.all`.
    client.enqueue(.get("status/404", acceptedStatuses: .all), as: Response<Data>.self)
        .then { response in print(response.status) }
    client.enqueue(.get("get", acceptedContentTypes: ["application/json"]))
    // snippet.end
}

// snippet.router
enum Router: Endpoint {
    case search(text: String, page: Int)
    case create(Login)
    case user(name: String)

    var path: URLPath {
        switch self {
        case .search: "search"
        case .create: "users"
        case .user(let name): "users/\(name)"
        }
    }

    var method: HTTPRequest.Method {
        if case .create = self { .post } else { .get }
    }

    var query: QueryParameters {
        guard case .search(let text, let page) = self else { return [:] }
        return ["q": text, "offset": 50 * page]
    }

    var body: RequestBody? {
        guard case .create(let login) = self else { return nil }
        return .json(login)
    }
}
// snippet.end

struct Tokens: Decodable {
    var accessToken: String
    var refreshToken: String
}

// snippet.interceptor
/// `adapt`, before `next`, and `retry`, after it.
struct Adapter: AsyncInterceptor {
    let language: String

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping AsyncNext
    ) async throws -> TransportResponse {
        var request = request
        request.head.headerFields[.acceptLanguage] = language
        let response = try await next(request)
        if response.head.status == .conflict { return try await next(request) }
        return response
    }
}

func session(_ tokens: Tokens) -> Client {
    var configuration = Client.Configuration()
    configuration.queue = RequestQueue(maximumRequestsPerHost: 6)
    configuration.redirects = RedirectPolicy(limit: 3)
    configuration.interceptors = [
        RetryInterceptor(attempts: 3),
        AuthorizationInterceptor(.bearer(tokens.accessToken, refreshToken: tokens.refreshToken)) {
            old in
            let fresh = try await client.enqueue(
                .post("token", body: .form(["refresh_token": old.refreshToken])), as: Tokens.self
            ).value
            return .bearer(fresh.accessToken, refreshToken: fresh.refreshToken)
        },
        Adapter(language: "de"),
    ]
    return Client(
        baseURL: "https://httpbin.org/", store: store, configuration: configuration)
}
// snippet.end

// snippet.authentication
let basic = client.configured {
    $0.interceptors = [AuthorizationInterceptor(.basic(user: "user", password: "password"))]
}
// snippet.end

func uploads(_ file: URL, _ image: Data) {
    // snippet.uploads
    client.enqueue(.post("post", body: .data(image, contentType: "image/png")))
    client.enqueue(.post("post", body: .file(file)))
    client.enqueue(
        .post(
            "post", body: .multipart(fields: ["one": 1], [.data("image", image), .file("f", file)]))
    )

    client.reportingProgress { progress in print(progress.fractionSent ?? 0) }
        .enqueue(.post("post", body: .file(file)), as: Answer.self)
        .then { answer in print(answer) }
    // snippet.end
}

// snippet.download
func download(to file: URL) -> Promise<URL> {
    client
        .reportingProgress { progress in print(progress.fractionReceived ?? 0) }
        .download(.get("image/png"), to: file, replacing: true)
        .then { response in response.value }
}
// snippet.end

// snippet.monitor
struct Monitor: Interceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        print(request.curlCommand())
        let start = ContinuousClock.now
        return next(request).tap(on: .immediate) { result in
            let status = (try? result.get().head.status.code) ?? 0
            print(type(of: endpoint), status, ContinuousClock.now - start)
        }
    }
}
// snippet.end

func cancelling() {
    // snippet.cancel
    let request = client.enqueue(.get("delay/10"), as: Answer.self)
    request.cancel()
    client.cancelAll()
    // snippet.end
}
