#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPResponse {
    /// Creates the head of a response, as the system has read it.
    init(_ response: URLResponse?, limits: TransportLimits) throws(TransportError) {
        guard let response = response as? HTTPURLResponse,
            (100...999).contains(response.statusCode)
        else { throw .malformedResponse("The response is not one of HTTP.") }
        let fields = try Self.fields(of: response, limits: limits)
        self.init(status: .init(code: response.statusCode), headerFields: fields)
        try checkLengths()
    }

    private static func fields(
        of response: HTTPURLResponse, limits: TransportLimits
    ) throws(TransportError) -> HTTPFields {
        // `HTTPFields` holds 65,535 of them.
        let mostFields = min(limits.maximumHeaderFieldCount, 65_534)
        var fields = HTTPFields()
        var size = 0
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let name = HTTPField.Name(name) else { continue }
            // The system joins fields of one name by commas, which only this one may not be.
            let values = name == .setCookie ? SetCookie.split("\(value)") : ["\(value)"]
            for value in values {
                size += name.rawName.utf8.count + value.utf8.count
                guard size <= limits.maximumHeaderSize else {
                    throw .limitExceeded(
                        "The header fields exceed \(limits.maximumHeaderSize) bytes.")
                }
                guard fields.count < mostFields else {
                    throw .limitExceeded("The response has more than \(mostFields) header fields.")
                }
                fields.append(HTTPField(name: name, value: value))
            }
        }
        return fields
    }

    /// Refuses lengths that leave the content's in doubt (RFC 9112, section 6.3).
    private func checkLengths() throws(TransportError) {
        guard let text = headerFields[.contentLength] else { return }
        let values = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard
            values.allSatisfy({
                $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64($0) != nil
            })
        else {
            throw .malformedResponse("Content-Length is not a number that fits in 63 bits.")
        }
        guard Set(values).count == 1 else {
            throw .malformedResponse("Two Content-Length fields differ.")
        }
    }

    /// The number of bytes that the content has according to the head, where it comes uncoded.
    var declaredLength: Int64? {
        let coding = headerFields[.contentEncoding]?.lowercased() ?? "identity"
        guard coding == "identity" || coding.isEmpty else { return nil }
        return headerFields[.contentLength].flatMap { text in
            text.split(separator: ",").first.flatMap {
                Int64($0.trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// The codings that some system decodes by itself.
    private static let knownCodings: Set = [
        "identity", "gzip", "x-gzip", "deflate", "br", "zstd",
    ]

    /// Refuses content in a coding that no system decodes, unless the request names its own.
    func checkCoding(of request: TransportRequest) throws(TransportError) {
        guard !request.head.headerFields.contains(.acceptEncoding),
            let text = headerFields[.contentEncoding]?.lowercased()
        else { return }
        let codings = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard codings.allSatisfy({ Self.knownCodings.contains($0) || $0.isEmpty }) else {
            throw TransportError(
                .unsupportedContentEncoding, "The content comes in a coding that is not known.")
        }
    }
}
#endif
