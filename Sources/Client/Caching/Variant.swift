import HTTPTypes

/// The rules of `Vary` (RFC 9111, section 4.1).
enum Variant {
    /// The names of the request's fields that chose the response, in lower case; nil where it was something else,
    /// by `*`, so that the response is for no other request.
    static func names(in fields: HTTPFields) -> Set<String>? {
        let names = fields[values: .vary].flatMap { CacheControl.members(of: $0) }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        return names.contains("*") ? nil : Set(names)
    }

    /// The digests of what a request has in these fields.
    static func digests(
        of names: Set<String>, in request: TransportRequest, by keys: KeyMaker
    ) -> [String: [UInt8]?] {
        names.reduce(into: [:]) { digests, name in
            let value = value(of: name, in: request.head.headerFields)
            digests[name] = .some(value.map { keys.digest([Array($0.utf8)]) })
        }
    }

    /// Whether a response was chosen by what this request has, too.
    static func isMatch(
        _ variant: [String: [UInt8]?], _ request: TransportRequest, by keys: KeyMaker
    ) -> Bool {
        variant.isEmpty || digests(of: Set(variant.keys), in: request, by: keys) == variant
    }

    /// The value of a field, its lines in one, without white space that says nothing; nil where there is none.
    static func value(of name: String, in fields: HTTPFields) -> String? {
        guard let fieldName = HTTPField.Name(name) else { return nil }
        let lines = fields[values: fieldName]
        guard !lines.isEmpty else { return nil }
        let members = lines.flatMap { CacheControl.members(of: $0) }
            .map { String(decoding: $0, as: UTF8.self) }
        let value = members.joined(separator: ",")
        return caseless.contains(name) ? value.lowercased() : value
    }

    /// The fields in whose values case says nothing (RFC 9110, sections 12.5.2 to 12.5.4).
    private static let caseless: Set = ["accept-charset", "accept-encoding", "accept-language"]
}
