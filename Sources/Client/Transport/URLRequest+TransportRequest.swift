#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes
import LarderPromises

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The fields that say how content is sent, which the system does, and what a proxy is told, which is no host's.
    private static let ownFields: Set<HTTPField.Name> = [
        .contentLength, .transferEncoding, .expect, .proxyAuthorization,
    ]

    /// Creates the system's form of a request.
    init(_ request: TransportRequest) throws(TransportError) {
        try request.validate()
        guard let url = URL(reference: request.urlText) else {
            throw .invalidRequest("The URL cannot be read.")
        }
        guard request.head.method != .get || request.body == nil else {
            throw .invalidRequest("URLSession sends no content with GET.")
        }
        self.init(url: url)
        // The system's own bound is on silence; it must not come before the exchange's.
        let timeout = request.timeout ?? .seconds(60)
        let silence = request.idleTimeout ?? timeout + .seconds(1)
        timeoutInterval = Double(max(silence.wholeMilliseconds, 1)) / 1000
        httpMethod = request.head.method.rawValue
        httpBody = request.body ?? request.contentCount.map { _ in Data() }
        httpShouldHandleCookies = false
        // The system says of content without a type that it were a form.
        if request.body?.isEmpty == false, !request.head.headerFields.contains(.contentType) {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        for field in request.head.headerFields where !Self.ownFields.contains(field.name) {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
    }
}
#endif
