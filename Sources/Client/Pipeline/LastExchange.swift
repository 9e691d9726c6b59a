import HTTPTypes
import LarderPromises

/// The exchange that was begun last for a request, where interceptors see to it.
struct LastExchange: Sendable {
    var sent: SentRequest?
    /// Whether it is that of another request, which had been sent before.
    var isJoined = false
    /// What has come of it, until interceptors have had their say.
    var response: TransportResponse?

    /// A response as an interceptor has left it.
    func completing(_ response: TransportResponse) -> TransportResponse {
        guard let own = self.response, response.sent == nil else { return response }
        let (status, ownStatus) = (response.head.status, own.head.status)
        let isUnseen = own.content.unwritten == nil && ownStatus.kind == .successful
        guard status == ownStatus || isUnseen && status.kind == .successful else { return response }
        return response.made(of: own)
    }

    /// What interceptors have left of it in the end.
    mutating func end<Failure: Error>(
        with result: Result<TransportResponse, Failure>
    ) -> Result<TransportResponse, Failure> {
        defer { response = nil }
        return result.map(completing)
    }
}

extension TransportResponse {
    /// The response as it is where it was made anew of another one: what that answered, and from where, stays known, and
    /// so does content that nobody could see.
    func made(of other: TransportResponse) -> TransportResponse {
        var response = self
        response.sent = other.sent
        if bodyCount == 0, other.content.unwritten == nil { response.content = other.content }
        return response
    }
}
