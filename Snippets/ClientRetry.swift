// An interceptor that tries again what a validator behind it refuses.

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
