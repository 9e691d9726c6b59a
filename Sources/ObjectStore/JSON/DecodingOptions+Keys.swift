import Foundation

extension DecodingOptions.Keys {
    /// Whether keys stand in the JSON as they are asked for.
    var areVerbatim: Bool {
        if case .useDefaultKeys = self { true } else { false }
    }

    /// The name that a key of an object at a path is asked for by.
    func name(of key: String, at path: [any CodingKey]) -> String {
        switch self {
        case .useDefaultKeys: key
        case .convertFromSnakeCase: Self.camelCase(key)
        case .custom(let convert): convert(path + [JSONCodingKey(stringValue: key)]).stringValue
        }
    }

    /// The first word in small letters, the others capitalized; underscores at the ends stay.
    private static func camelCase(_ key: String) -> String {
        let head = key.prefix { $0 == "_" }
        let core = key[head.endIndex...]
        guard let last = core.lastIndex(where: { $0 != "_" }) else { return key }
        let words = core[...last].split(separator: "_")
        guard let first = words.first, words.count > 1 else { return key }
        let camel = first.lowercased() + words.dropFirst().map(\.capitalized).joined()
        return head + camel + core[last...].dropFirst()
    }
}
