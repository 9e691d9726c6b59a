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
    ///
    /// - Parameter isEnqueued: Whether it is the one that was enqueued, rather than maybe a changed copy, whose
    ///   content may be another; but for a stream, which can't be gathered by now.
    static func encoded(for endpoint: some Endpoint, isEnqueued: Bool) throws -> EncodedBody? {
        guard let asked else { return try endpoint.content?.encoded() }
        let isWhole = asked.body?.isWhole == true
        let isAsked = asked.endpoint == type(of: endpoint) && (isEnqueued || isWhole)
        var body = isAsked ? asked.body : endpoint.content
        // Where an endpoint has another one build its request, the stream is its own, be it made anew.
        if isWhole, body?.isGathered == true { body = asked.body }
        // What that asks for itself is another request's.
        return try $asked.withValue(nil) { try body?.encoded() }
    }
}
