public import Foundation

/// A JSON object in the making: members are renamed, added and removed, in their order.
///
/// Values that come from a document are copied as they are spelled there.
public struct JSONObject: Sendable {
    private var members: [(key: String, source: Data)] = []

    /// An object without members.
    public init() {}

    /// Takes the members of an object; of those with one key, the last.
    ///
    /// Any other value has none.
    public init(_ value: JSONValue) {
        guard value.kind == .object else { return }
        let values = JSONMembers(of: value)
        members = values.keys.compactMap { key in values[key].map { (key, $0.source) } }
    }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    /// Whether there is a member of this key.
    public func contains(_ key: String) -> Bool { index(of: key) != nil }

    /// Gives a member another key; one that has that key already goes.
    ///
    /// Without such a member nothing happens.
    public mutating func rename(_ key: String, to newKey: String) {
        guard key != newKey, let source = remove(key) else { return }
        set(newKey, source: source)
    }

    /// Removes a member and returns its source.
    @discardableResult
    public mutating func remove(_ key: String) -> Data? {
        index(of: key).map { members.remove(at: $0).source }
    }

    /// Gives a member a value from a document.
    public mutating func set(_ key: String, to value: JSONValue) { set(key, source: value.source) }

    /// Gives a member an object.
    public mutating func set(_ key: String, to object: JSONObject) {
        set(key, source: object.source)
    }

    /// Gives a member a value that can be encoded; nil becomes `null`.
    ///
    /// - Throws: `EncodingError` where JSON has no such value, as for a number that is none.
    public mutating func set<Value: Encodable>(_ key: String, to value: Value) throws {
        set(key, source: try JSONEncoder.plain.encode(value))
    }

    /// The object as text in UTF-8.
    public var source: Data {
        var text = Data("{".utf8)
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(contentsOf: ",".utf8) }
            text.append(contentsOf: JSONText.string(member.key).utf8)
            text.append(contentsOf: ":".utf8)
            text.append(member.source)
        }
        text.append(contentsOf: "}".utf8)
        return text
    }

    private mutating func set(_ key: String, source: Data) {
        if let index = index(of: key) {
            members[index].source = source
        } else {
            members.append((key, source))
        }
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }
}

extension JSONEncoder {
    /// An encoder whose text does not depend on the order that a dictionary happens to have.
    static var plain: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .wholeISO8601
        return encoder
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// ISO 8601 in UTC, from which the same moment is read back: Foundation's own drops the fractions
    /// of seconds, and counts by another calendar before 1582.
    package static var wholeISO8601: JSONEncoder.DateEncodingStrategy {
        .custom { date, encoder in
            guard let text = ISO8601.text(of: date.timeIntervalSinceReferenceDate) else {
                throw EncodingError.invalidValue(
                    date,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "The date's year has more than four digits."))
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
