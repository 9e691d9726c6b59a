// konex's samples, here.

import Foundation
import Larder

let store = try Store.inMemory()

// snippet.request
struct AllPosts: Endpoint {
    let path = "posts/"
}

struct Post: Decodable {
    var id: Int?
    var title: String
}
// snippet.end

// snippet.client
let client = Client(baseURL: "https://jsonplaceholder.typicode.com/", store: store)
// snippet.end

func dispatch() {
    // snippet.dispatch
    client.enqueue(AllPosts(), as: [Post].self)
        .then { posts in print(posts.count) }
        .catch { error in print(error) }

    client.enqueue(.get("posts/1"), as: Post.self).then { post in print(post.title) }

    let json = client.enqueue(AllPosts(), as: JSONDocument.self)
        .then { document in document.root.elements?.first?["title"]?.string ?? "" }
    json.cancel()
    // snippet.end
}

// snippet.class
/// What the app's requests have in common.
class BaseRequest: Endpoint, @unchecked Sendable {
    var path: URLPath { "" }
    var method: HTTPRequest.Method { .get }
    var headerFields: HTTPFields { [.acceptLanguage: "de"] }
}

final class PostRequest: BaseRequest, @unchecked Sendable {
    let id: Int

    init(id: Int) { self.id = id }

    override var path: URLPath { "posts/\(id)" }
}
// snippet.end

// snippet.plugin
struct Logging: Interceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        print("sent:", request.curlCommand())
        return next(request).then(on: .immediate) { response -> TransportResponse in
            print("received:", response.head.status, response.body.count)
            return response
        }
    }
}
// snippet.end

// snippet.processor
/// Takes the content out of `{"data": …}`.
let unwrapping = ResponseProcessor { response, _ in
    var response = response
    if let data = try JSONDocument(response.body).root["data"] { response.body = data.source }
    return response
}

/// For that, a key path is enough.
func posts() -> Promise<[Post]> {
    client.enqueue(AllPosts(), at: "data")
}
// snippet.end

// snippet.validator
struct Refused: Error {
    var message: String
}

let success = Validator { response, _ in
    if let message = try JSONDocument(response.body).root["error"]?.string {
        throw Refused(message: message)
    }
}
// snippet.end

// snippet.levels
// Of a request …
struct CheckedPosts: Endpoint {
    let path = "posts/"
    let interceptors: [any Interceptor] = [Logging()]
    let validators = [success]
    let processors = [unwrapping]
}

// … of the client …
func configuration() -> Client.Configuration {
    Client.Configuration(
        interceptors: [Logging()], validators: [.status(200..<300), success],
        processors: [unwrapping])
}

// … and of a call.
func call() -> Promise<[Post]> {
    client.enqueue(
        .get("posts/", interceptors: [Logging()], validators: [success], processors: [unwrapping]))
}

func callOfType() -> Promise<[Post]> {
    client.configured { $0.validators.append(success) }.enqueue(AllPosts())
}
// snippet.end

// snippet.engine
/// Counts what another transport does.
struct Engine: Transport {
    let base: any Transport
    let onSend: @Sendable () -> Void

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        onSend()
        return base.send(request, completion: completion)
    }
}

let counting = client.configured {
    $0.transport = Engine(base: $0.transport, onSend: { print("one more") })
}
// snippet.end
