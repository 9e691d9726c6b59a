#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes

/// The header fields of a handle's request, as libcurl takes them.
///
/// They are kept for the next request, which mostly has the same.
struct CurlFields: ~Copyable {
    /// The fields in lines, which are there until others are filled in.
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    /// Whether they name the codings that the content of the response may have.
    private(set) var namesEncoding = false

    private var fields: HTTPFields?
    private var hasContent = false

    /// The fields that say how content is sent, which libcurl does, and what a proxy is told, which is no host's.
    ///
    /// One that it is told to expect something by, it sends again and again to a server that refuses that.
    private static let ownFields: Set<HTTPField.Name> = [
        .contentLength, .transferEncoding, .expect, .proxyAuthorization,
    ]

    deinit {
        curl_slist_free_all(list)
    }

    /// Takes the fields of a request.
    mutating func fill(from request: TransportRequest) {
        let fields = request.head.headerFields
        let hasContent = request.contentCount != nil
        guard hasContent != self.hasContent || !areThere(fields) else { return }
        (self.fields, self.hasContent) = (fields, hasContent)
        curl_slist_free_all(list)
        list = nil
        for field in fields where !Self.ownFields.contains(field.name) {
            // libcurl's notation for a field without a value is a semicolon.
            let name = field.name.rawName
            add(field.value.isEmpty ? "\(name);" : "\(name): \(field.value)")
        }
        namesEncoding = fields.contains(.acceptEncoding)
        // As a line of them: what is set by an option of its own, libcurl writes letter by letter twice.
        if !namesEncoding { add("Accept-Encoding: \(ContentCoding.offered)") }
        if hasContent {
            // Neither a type that nobody named, nor a second's wait for "100 Continue".
            if !fields.contains(.contentType) { add("Content-Type:") }
            add("Expect:")
        }
    }

    private mutating func add(_ line: String) {
        // On a failed allocation the list stays as it was.
        list = curl_slist_append(list, line) ?? list
    }

    /// Whether fields are those that are there, byte by byte and in the same order.
    private func areThere(_ others: HTTPFields) -> Bool {
        guard let fields, fields.count == others.count else { return false }
        for index in fields.indices {
            let (field, other) = (fields[index], others[index])
            guard field.name.rawName == other.name.rawName,
                Self.haveSameBytes(field.value, other.value)
            else {
                return false
            }
        }
        return true
    }

    private static func haveSameBytes(_ text: String, _ other: String) -> Bool {
        guard text.utf8.count == other.utf8.count else { return false }
        let areSame = text.utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { otherBytes in
                guard let first = bytes.baseAddress, let otherFirst = otherBytes.baseAddress else {
                    return true
                }
                return memcmp(first, otherFirst, bytes.count) == 0
            }
        }
        return (areSame ?? nil) ?? text.utf8.elementsEqual(other.utf8)
    }
}
#endif
