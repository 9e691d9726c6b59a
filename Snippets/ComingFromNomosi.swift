// Nomosi's samples, here.

import Foundation
import Larder

let store = try Store.inMemory(entities: User.self)
let client = Client(baseURL: "https://api.a-backend.com/v1/", store: store)

// snippet.service
struct AService: RespondingEndpoint {
    struct Response: Decodable {
        var aPropertyOne: String?
        var aPropertyTwo: String?
    }

    let path = "resources/1234"
    let timeout = Duration.seconds(30)
}
// snippet.end

func callbacks() {
    // snippet.callbacks
    client.enqueue(AService())
        .then { response in print(response.aPropertyOne ?? "nothing") }
        .catch { error in print(error) }
        .finally { print("over") }
    // snippet.end
}

func awaiting() async {
    // snippet.await
    do {
        let response = try await client.enqueue(AService()).value
        print(response.aPropertyTwo ?? "nothing")
    } catch {
        print(error)
    }
    // snippet.end
}

/// Where the app has its tokens from.
actor AuthManager {
    static let shared = AuthManager()

    func token() -> String? { nil }
}

// snippet.decorate
struct NoToken: Error {}

/// Waits for a token before the request is sent; what it throws rejects the promise.
struct Decoration: AsyncInterceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping AsyncNext
    ) async throws -> TransportResponse {
        guard let token = await AuthManager.shared.token() else { throw NoToken() }
        var request = request
        request.head.headerFields[.authorization] = token
        return try await next(request)
    }
}

struct TokenProtectedService: Endpoint {
    let path = "resources/1234"
    let interceptors: [any Interceptor] = [Decoration()]
}
// snippet.end

// snippet.cache
@Entity struct User {
    @Identity var id: Int
    var name: String
    var surname: String
    var website: URL?
}

/// Shows what is there, then what has come, then each change, while what it returns is kept.
@MainActor func showUsers(_ show: @escaping @MainActor @Sendable ([User]) -> Void)
    -> StoreObservation
{
    client.enqueue(.get("users"), as: Many<User>.self).catch { error in print(error) }
    return store.observe(User.all.sorted { $0.name.ascending }).start { users in show(users) }
}
// snippet.end

// snippet.fresh
/// What the store has, and the server's only where that is nothing.
func user(_ id: Int) -> Promise<User> {
    store.promise.read { try $0.find(User.self, id: id) }
        .then { known -> Promise<User> in
            if let known { return .fulfilled(known) }
            return client.enqueue(.get("users/\(id)"))
        }
}
// snippet.end

func redundant() {
    // snippet.redundant
    // The second of two identical requests is refused …
    client.configured { $0.coalescing = .refusing }.enqueue(AService())
        .catch(only: ClientError.self) { error in
            if error.reason == .duplicate { print("redundant") }
        }

    // … or given the first one's response.
    client.configured { $0.coalescing = .joining }.enqueue(AService()).then { print($0) }
    // snippet.end
}

// snippet.mock
/// Answers an endpoint with the file that is named after its type, where there is one.
struct Mocks: Interceptor {
    let folder: URL

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let file = folder.appending(path: "\(type(of: endpoint)).mock")
        guard let content = try? Data(contentsOf: file) else { return next(request) }
        return .fulfilled(TransportResponse(head: HTTPResponse(status: .ok), body: content))
    }
}

func mocked(in folder: URL) -> Client {
    client.configured { $0.interceptors.insert(Mocks(folder: folder), at: 0) }
}
// snippet.end

// snippet.validate
struct Expired: Error {}

struct CheckedService: Endpoint {
    let path = "resources/1234"
    let acceptedStatuses = StatusCodes(200..<400)
    let validators = [
        Validator { response, _ in
            if try JSONDocument(response.body).root["expired"]?.bool == true { throw Expired() }
        }
    ]
    let interceptors: [any Interceptor] = [RetryInterceptor(attempts: 3)]
}
// snippet.end

// snippet.observer
/// Counts the requests under way, as for an activity indicator.
struct Counting: Interceptor {
    let onChange: @Sendable (_ difference: Int) -> Void

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        onChange(1)
        return next(request).tap(on: .immediate) { [onChange] _ in onChange(-1) }
    }
}
// snippet.end

// snippet.transfer
struct PhotoUpload: Endpoint {
    let file: URL

    let path = "photos"
    let method = HTTPRequest.Method.post
    var body: RequestBody { .file(file) }
}

func transfer(_ file: URL, to target: URL) async throws {
    let upload = client.progress { $0.enqueue(PhotoUpload(file: file)) }
    for await progress in upload.progress { print(progress.fractionSent ?? 0) }
    try await upload.promise.value

    let download = client.progress { $0.download(.get("photos/1"), to: target) }
    for await progress in download.progress { print(progress.fractionReceived ?? 0) }
    print(try await download.promise.value.value)
}
// snippet.end
