import HTTPTypes
public import LarderClient

extension ResponseSerializer where Value == XMLTree {
    /// Reads the content as XML.
    public static func xml(limits: XMLLimits = XMLLimits()) -> ResponseSerializer {
        ResponseSerializer { response, _ in try XMLTree(response, limits: limits) }
    }
}

extension RespondingEndpoint where Response == XMLTree {
    /// Reads the content as XML.
    public static var serializer: ResponseSerializer<Response> { .xml() }
}

extension XMLTree {
    /// Reads the content of a response, in the encoding that its `Content-Type` names.
    init(_ response: TransportResponse, limits: XMLLimits) throws(XMLError) {
        let parameters = response.head.headerFields[.contentType]?.split(separator: ";").dropFirst()
        let charset = parameters?.lazy.compactMap { parameter -> Substring? in
            let halves = parameter.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].lowercased().hasSuffix("charset") else { return nil }
            return halves[1].split { " \t\"'".contains($0) }.first
        }.first
        try self.init(response.body, charset: charset.map(String.init), limits: limits)
    }
}
