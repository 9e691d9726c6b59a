import HTTPTypes

extension TransportRequest {
    /// The method, the URL, the header fields and the size of the content, without what the usual ``Redaction`` names.
    var redacted: String {
        let redaction = Redaction().adding(secretNames)
        var parts = ["\(head.method) \(redaction.url(urlText))"]
        if !head.headerFields.isEmpty { parts.append("(\(redaction.line(head.headerFields)))") }
        if let body { parts.append("with \(body.count) bytes") }
        return parts.joined(separator: " ")
    }
}
