import Foundation
import HTTPTypes
import LarderClient

extension TransportRequest {
    static func secure(
        _ baseURL: URL, _ path: String = "/", method: HTTPRequest.Method = .get, body: Data? = nil
    ) -> TransportRequest {
        var request = TransportRequest.to(baseURL, path, method: method, body: body)
        request.head.scheme = "https"
        return request
    }
}
