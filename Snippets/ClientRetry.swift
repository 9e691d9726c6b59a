// What is tried again, by Larder's interceptor or by one's own.

import Foundation
import HTTPTypes
import Larder

// snippet.interceptor
struct Retrying: Interceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        guard request.head.method == .get else { return next(request) }
        return .retry(attempts: 3, backoff: .exponential(from: .milliseconds(200))) {
            next(request)
        }
    }
}

var configuration = Client.Configuration()
configuration.interceptors = [Retrying(), Validator.status(200..<300)]
// snippet.end

// snippet.retries
func patient(_ client: Client) -> Client {
    client.configured {
        $0.interceptors.insert(RetryInterceptor(attempts: 4, deadline: .seconds(30)), at: 0)
    }
}
// snippet.end

// snippet.budget
/// What the app's clients may try again in all, origin by origin.
let budget = RetryBudget(capacity: 20, refund: 0.2)
let retrying = RetryInterceptor(
    statuses: RetryInterceptor.passingStatuses.union([500]),
    backoff: .exponential(from: .milliseconds(200), upTo: .seconds(5), jitter: 1),
    budget: budget)
// snippet.end

// snippet.once
func once(_ client: Client) -> Client {
    client.configured { $0.interceptors.removeAll { $0 is RetryInterceptor } }
}
// snippet.end

// snippet.keys
struct Order: Endpoint {
    /// Kept with the order, so that the key is the same after a restart too.
    let id: UUID
    let item: Int

    let path = "orders"
    let method = HTTPRequest.Method.post
    var body: RequestBody { .json(["item": item]) }

    var headerFields: HTTPFields {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Idempotency-Key") { fields[name] = id.uuidString }
        return fields
    }
}

/// Keys for whatever else is posted: one each time that it is enqueued, the same for its attempts.
let keyed = RetryInterceptor(addsIdempotencyKeys: true)
// snippet.end

// snippet.unknown
func order(_ client: Client, _ order: Order) {
    client.enqueue(order).catch(only: ClientError.self) { error in
        let status = error.status?.code ?? 0
        switch error.reason {
        case .transport: print("ask whether it has been made")
        case .unacceptableStatus where status >= 500 && status != 503: print("ask, too")
        case .unacceptableStatus: print("it has not been made:", status)
        default: print(error)
        }
    }
}
// snippet.end

// snippet.promise
struct Job: Decodable {
    var isDone: Bool
}

struct Unfinished: Error {}

func finished(_ client: Client, _ job: Int) -> Promise<Job> {
    .retry(
        attempts: 20, backoff: .constant(.seconds(3)), while: { error, _ in error is Unfinished }
    ) {
        client.enqueue(.get("jobs/\(job)"), as: Job.self).then { job -> Job in
            guard job.isDone else { throw Unfinished() }
            return job
        }
    }
}
// snippet.end

// snippet.offline
func patient(_ client: Client, _ network: some NetworkMonitor) -> Client {
    client.configured {
        let first: [any Interceptor] = [
            RetryInterceptor(attempts: 3),
            OfflineInterceptor(network, waiting: .seconds(30)),
        ]
        $0.interceptors.insert(contentsOf: first, at: 0)
    }
}
// snippet.end
