import HTTPTypes
import LarderPromises

/// The exchange that was begun last for a request, where interceptors see to it.
struct LastExchange: Sendable {
    var sent: SentRequest?
    /// What has come of it, until interceptors have had their say.
    var response: TransportResponse?

    /// A response as interceptors have left it.
    mutating func completing(_ response: TransportResponse) -> TransportResponse {
        guard let own = self.response.take(), response.sent == nil,
            response.head.status == own.head.status
        else { return response }
        return response.made(of: own)
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
