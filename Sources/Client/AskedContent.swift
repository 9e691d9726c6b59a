/// What an endpoint has been asked for as its content, once for the request that is built of it.
enum AskedContent {
    @TaskLocal private static var asked: (endpoint: any Endpoint.Type, body: RequestBody?)?

    /// Builds a request of an endpoint.
    ///
    /// - Parameter content: What the endpoint has been asked for; nil where it has not been asked.
    static func building<Result>(
        _ endpoint: some Endpoint, with content: RequestBody??, _ build: () throws -> Result
    ) rethrows -> Result {
        if asked == nil, content.flatMap(\.self) == nil { return try build() }
        return try $asked.withValue(content.map { (type(of: endpoint.enqueued), $0) }) {
            try build()
        }
    }

    /// Encodes the content of an endpoint whose request is being built.
    static func encoded(for endpoint: some Endpoint) throws -> EncodedBody? {
        guard let asked else { return try endpoint.content?.encoded() }
        let body = asked.endpoint == type(of: endpoint) ? asked.body : endpoint.content
        // What that asks for itself is another request's.
        return try $asked.withValue(nil) { try body?.encoded() }
    }
}
