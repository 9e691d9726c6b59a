extension ClientError {
    /// Creates the error of an endpoint of which no request was made.
    init(
        _ reason: Reason, of endpoint: some Endpoint, _ configuration: Client.Configuration,
        underlying: any Error
    ) {
        let redaction = configuration.redaction(for: endpoint)
        self.init(
            reason, method: endpoint.method, url: redaction.url("\(endpoint.path)"),
            underlying: underlying)
        self.redaction = redaction
    }
}
