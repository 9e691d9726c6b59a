import HTTPTypes

extension TransportRequest {
    /// The names that descriptions know besides the usual ones: those of credentials, and its client's own.
    var namesOfSecrets: Set<String> {
        provenance.secretNames.isEmpty ? secretNames : secretNames.union(provenance.secretNames)
    }

    /// The method, the URL, the header fields and the size of the content, without what the usual ``Redaction`` names,
    /// nor what its client's does.
    var redacted: String {
        let redaction = Redaction().adding(namesOfSecrets)
        var parts = ["\(head.method) \(redaction.url(urlText))"]
        if !head.headerFields.isEmpty { parts.append("(\(redaction.line(head.headerFields)))") }
        if let body { parts.append("with \(body.count) bytes") }
        return parts.joined(separator: " ")
    }
}
