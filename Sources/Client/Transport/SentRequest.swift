/// The request that a response answers, as interceptors have left it.
///
/// A class, so that a response stays small.
final class SentRequest: Sendable {
    let request: TransportRequest

    init(_ request: TransportRequest) {
        self.request = request
    }
}
