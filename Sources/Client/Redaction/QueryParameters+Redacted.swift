extension QueryParameters {
    /// The query that they make, without what the usual ``Redaction`` names.
    var redacted: String {
        let query = (try? items()).map { Redaction().url("?" + PercentEncoding.query($0)) }
        return query ?? Redaction.placeholder
    }
}
