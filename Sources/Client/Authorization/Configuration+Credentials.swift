extension Client.Configuration {
    /// The redaction of what a request holds, by the names of the credentials that interceptors add to it, too: an app
    /// may have its path from a server that repeats a key there.
    func redaction(for endpoint: some Endpoint) -> Redaction {
        redaction.adding(secretNames(for: endpoint))
    }

    /// Makes what notes the sessions in which a request is begun, so that it is of nobody who logs in later.
    ///
    /// By those of its interceptors that give it a credential; nil where there are no interceptors.
    func makeAdmissions(for endpoint: (any Endpoint)? = nil) -> Admissions? {
        let own = endpoint?.interceptors ?? []
        if own.isEmpty, interceptors.isEmpty { return nil }
        let admissions = admissions ?? Admissions()
        for authorizer in authorizers(besides: own) { authorizer.admit(admissions) }
        return admissions
    }

    /// The names of what a request's interceptors add to it as its credentials.
    func secretNames(for endpoint: some Endpoint) -> Set<String> {
        authorizers(besides: endpoint.interceptors).reduce(into: []) {
            $0.formUnion($1.secretNames)
        }
    }

    /// Whether those who give an endpoint's requests a credential still give that of the session in which one was begun.
    func isOfSession(_ admissions: Admissions?, for endpoint: any Endpoint) -> Bool {
        guard givesCredential(to: endpoint) else { return true }
        return authorizers(besides: endpoint.interceptors).allSatisfy { $0.covers(admissions) }
    }

    /// Whether interceptors give an endpoint's requests a credential, of which nobody says whose it is.
    func givesCredential(to endpoint: any Endpoint) -> Bool {
        account == nil && endpoint.needsAuthorization
            && !authorizers(besides: endpoint.interceptors).isEmpty
    }

    /// Has what is kept of a client's responses go with the sessions that they are of, unless an account has it.
    func endSessions(with kept: KeptResponses, besides own: [any Interceptor] = []) {
        for authorizer in authorizers(besides: own) { authorizer.end(with: kept) }
    }

    /// The interceptors that give a credential, of an endpoint's and the client's.
    private func authorizers(besides own: [any Interceptor]) -> [AuthorizationInterceptor] {
        if own.isEmpty, interceptors.isEmpty { return [] }
        return (own + interceptors).compactMap { $0 as? AuthorizationInterceptor }
    }
}
