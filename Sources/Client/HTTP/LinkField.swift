import Foundation
import HTTPTypes

/// One link of a `Link` header field (RFC 8288).
public struct LinkField: Sendable, Hashable {
    /// The target as the field gives it, resolved against nothing.
    public var target: String

    /// The parameters by their lower-cased names; of one that repeats, the first.
    public var parameters: [String: String]

    /// The relation types, lower-cased, such as `next` and `last`.
    public var relations: [String] {
        (parameters["rel"] ?? "").lowercased().split(separator: " ").map(String.init)
    }

    /// Reads the links of one field's value; what is none is passed over up to the next comma.
    public static func fields(in value: String) -> [LinkField] {
        var reader = LinkReader(value)
        var links: [LinkField] = []
        while let link = reader.next() { links.append(link) }
        return links
    }

    /// The links of all `Link` fields, without those with an `anchor`, which are about another resource.
    static func fields(of headerFields: HTTPFields) -> [LinkField] {
        guard let name = HTTPField.Name("Link") else { return [] }
        return headerFields[values: name].flatMap(fields(in:))
            .filter { $0.parameters["anchor"] == nil }
    }
}

/// Reads links from left to right.
private struct LinkReader {
    private var rest: Substring

    init(_ value: String) {
        rest = value[...]
    }

    mutating func next() -> LinkField? {
        skip { $0 == "," || $0.isWhitespace }
        while rest.first != "<", !rest.isEmpty {
            skip { $0 != "," }
            skip { $0 == "," || $0.isWhitespace }
        }
        guard take("<"), let end = rest.firstIndex(of: ">") else { return nil }
        var target = rest[..<end].drop(while: \.isWhitespace)
        while target.last?.isWhitespace == true { target.removeLast() }
        var link = LinkField(target: String(target), parameters: [:])
        rest = rest[rest.index(after: end)...]
        skip(\.isWhitespace)
        while take(";") {
            guard let (name, value) = parameter() else { break }
            if link.parameters[name] == nil { link.parameters[name] = value }
            skip(\.isWhitespace)
        }
        return link
    }

    private mutating func parameter() -> (String, String)? {
        skip(\.isWhitespace)
        let name = prefix { !$0.isWhitespace && !"=;,".contains($0) }
        guard !name.isEmpty else { return nil }
        skip(\.isWhitespace)
        guard take("=") else { return (name.lowercased(), "") }
        skip(\.isWhitespace)
        let value = take("\"") ? quoted() : prefix { !$0.isWhitespace && !";,".contains($0) }
        return (name.lowercased(), value)
    }

    /// The rest of a quoted string, with its escapes resolved.
    private mutating func quoted() -> String {
        var result = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\" {
                if let escaped = rest.popFirst() { result.append(escaped) }
            } else {
                result.append(character)
            }
        }
        return result
    }

    private mutating func prefix(_ isIncluded: (Character) -> Bool) -> String {
        let part = rest.prefix(while: isIncluded)
        rest = rest[part.endIndex...]
        return String(part)
    }

    private mutating func skip(_ isSkipped: (Character) -> Bool) {
        rest = rest.drop(while: isSkipped)
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}
