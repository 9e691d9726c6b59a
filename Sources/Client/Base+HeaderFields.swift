import HTTPTypes

extension Client.Base {
    /// Adds a client's own fields; to another origin only those that say nothing of who asks.
    func addHeaderFields(
        to request: inout TransportRequest, of configuration: Client.Configuration
    ) {
        let head = request.head
        let isOwnOrigin =
            head.scheme == scheme && head.authority == authority
            || (try? URLReference(request.urlText).origin) == origin
        let own = request.head.headerFields
        if isOwnOrigin, own.isEmpty {
            request.head.headerFields = configuration.headerFields
            return
        }
        for field in configuration.headerFields where !own.contains(field.name) {
            if isOwnOrigin || configuration.sharedHeaderFields.contains(field.name) {
                request.head.headerFields.append(field)
            }
        }
    }
}
