import HTTPTypes

extension TransportResponse {
    /// The status, the header fields and the size of the content, without what the usual ``Redaction`` names.
    var redacted: String {
        var parts = ["\(head.status.code)"]
        if !head.headerFields.isEmpty { parts.append("(\(Redaction().line(head.headerFields)))") }
        return (parts + ["with \(bodyCount) bytes"]).joined(separator: " ")
    }
}
