import Foundation
import LarderObjectStore

/// Writes a value as the items of a query, by the JSON that it is encoded as.
struct QueryWriter: Sendable {
    let arrays: QueryParameters.Arrays
    let objects: QueryParameters.Objects
    let names: QueryParameters.Names

    /// Writes one value; nothing for one that is nil.
    func write(
        _ value: any Encodable & Sendable, named name: String, to items: inout [URLQueryItem]
    ) throws {
        switch value {
        case let text as String: items.append(URLQueryItem(name: name, value: text))
        case let number as Int: items.append(URLQueryItem(name: name, value: String(number)))
        default: try write(json(of: value), named: name, to: &items)
        }
    }

    /// Writes the members of an object; nothing for one that is nil.
    func write(object: any Encodable & Sendable, to items: inout [URLQueryItem]) throws {
        let value = try json(of: object)
        guard !value.isNull else { return }
        guard let keys = value.keys else {
            throw TransportError.invalidRequest(
                "Parameters are made of an object with named values, not of an array or a plain value."
            )
        }
        for key in keys.sorted() {
            if let member = value[key] { try write(member, named: key, to: &items) }
        }
    }

    private func json(of value: any Encodable & Sendable) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.dateEncodingStrategy = .wholeISO8601
        encoder.keyEncodingStrategy = names.strategy
        return try JSONDocument(encoder.encode(value)).root
    }

    private func write(
        _ value: JSONValue, named name: String, to items: inout [URLQueryItem]
    ) throws {
        if let text = value.text {
            items.append(URLQueryItem(name: name, value: text))
        } else if let elements = value.elements {
            try write(elements.filter { !$0.isNull }, named: name, to: &items)
        } else {
            for key in (value.keys ?? []).sorted() {
                guard let member = value[key] else { continue }
                let path = objects == .dots ? "\(name).\(key)" : "\(name)[\(key)]"
                try write(member, named: path, to: &items)
            }
        }
    }

    private func write(
        _ elements: [JSONValue], named name: String, to items: inout [URLQueryItem]
    ) throws {
        if case .separated(let separator) = arrays {
            guard !elements.isEmpty else { return }
            let value = try elements.map { try joinable($0, by: separator) }
                .joined(separator: separator)
            return items.append(URLQueryItem(name: name, value: value))
        }
        let arePlain = elements.allSatisfy { $0.text != nil }
        for (index, element) in elements.enumerated() {
            switch arrays {
            case .brackets where arePlain: try write(element, named: name + "[]", to: &items)
            case .repeated where arePlain: try write(element, named: name, to: &items)
            default: try write(element, named: "\(name)[\(index)]", to: &items)
            }
        }
    }

    private func joinable(_ element: JSONValue, by separator: String) throws -> String {
        guard let text = element.text else {
            throw TransportError.invalidRequest(
                "An array in an array, or an object in one, can't be one value with separators.")
        }
        guard separator.isEmpty || !text.contains(separator) else {
            throw TransportError.invalidRequest(
                "An element holds the separator that its array is written with.")
        }
        return text
    }
}

extension JSONValue {
    /// The text of a plain value; nil for what is empty or has parts.
    fileprivate var text: String? {
        switch kind {
        case .string: string
        case .boolean, .number: String(decoding: source, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }
}

extension QueryParameters.Names {
    fileprivate var strategy: JSONEncoder.KeyEncodingStrategy {
        switch self {
        case .verbatim: .useDefaultKeys
        case .snakeCase: .custom { Self.last(of: $0, KeyStyle.snakeCase.key(for:)) }
        case .custom(let convert): .custom { Self.last(of: $0, convert) }
        }
    }

    private static func last(
        of path: [any CodingKey], _ convert: (String) -> String
    ) -> any CodingKey {
        ConvertedKey(stringValue: convert(path.last?.stringValue ?? ""))
    }
}

/// A property's name as it is sent.
private struct ConvertedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}
