extension Client.Configuration {
    /// The redaction of what a request holds, by the names of the credentials that interceptors add to it, too: an app
    /// may have its path from a server that repeats a key there.
    func redaction(for endpoint: some Endpoint) -> Redaction {
        redaction.adding(secretNames(for: endpoint))
    }

    /// The names of what a request's interceptors add to it as its credentials.
    func secretNames(for endpoint: some Endpoint) -> Set<String> {
        var names: Set<String> = []
        for interceptors in [endpoint.interceptors, interceptors] {
            for case let interceptor as AuthorizationInterceptor in interceptors {
                names.formUnion(interceptor.secretNames)
            }
        }
        return names
    }
}
