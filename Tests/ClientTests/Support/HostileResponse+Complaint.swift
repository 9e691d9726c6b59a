import HTTPTypes
import LarderClient

extension HostileResponse {
    /// Returns what is wrong with what a transport has made of it; nil where it is what it deserves.
    func complaint(about result: Result<TransportResponse, any Error>) -> String? {
        let isDeserved =
            switch (outcome, result) {
            case (.response(let status, let count), .success(let response)):
                response.head.status.code == status && response.body.count == count
            case (.error(let kinds), .failure(let error as TransportError)):
                kinds.contains(error.reason)
            case (.either, _): true
            default: false
            }
        return isDeserved ? nil : "\(outcome) expected, \(result) came"
    }
}

extension Transport {
    /// Performs one exchange, whatever comes of it.
    func result(of request: TransportRequest) async -> Result<TransportResponse, any Error> {
        do {
            return .success(try await response(to: request))
        } catch {
            return .failure(error)
        }
    }
}
