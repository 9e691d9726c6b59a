import Foundation

/// A type whose values an attribute keeps as JSON: `extension Address: JSONAttribute {}`.
///
/// Reading takes dates from ISO 8601 and bytes from base64, writing makes them so. A value that
/// cannot be encoded can't be stored: an error says so.
///
/// What an import brings is kept as it came but for white space, the order of keys and the like,
/// also where the type would write another key, or a date or a number in another way. It is written
/// as the type writes it once the object is saved, and is another value to the store then.
public protocol JSONAttribute: AttributeValue, Codable {}

extension JSONAttribute {
    /// Any JSON.
    public static var attributeType: AttributeType { .json }

    /// Reads JSON text.
    public init?(sqlValue: SQLValue) {
        guard let value = JSONAttributeText.value(Self.self, of: sqlValue) else { return nil }
        self = value
    }

    /// The value as JSON text.
    public var sqlValue: SQLValue { JSONAttributeText.sqlValue(of: self) }

    /// The JSON that the type can be read from.
    public static var allowedValues: AllowedValues { JSONAttributeText.allowedValues(Self.self) }
}

extension Array: AttributeValue where Element: AttributeValue & Codable {
    /// Any JSON.
    public static var attributeType: AttributeType { .json }

    /// Reads JSON text.
    public init?(sqlValue: SQLValue) {
        guard let value = JSONAttributeText.value(Self.self, of: sqlValue) else { return nil }
        self = value
    }

    /// The elements as JSON text.
    public var sqlValue: SQLValue { JSONAttributeText.sqlValue(of: self) }

    /// The JSON that the array can be read from.
    public static var allowedValues: AllowedValues { JSONAttributeText.allowedValues(Self.self) }
}

extension Dictionary: AttributeValue where Key == String, Value: AttributeValue & Codable {
    /// Any JSON.
    public static var attributeType: AttributeType { .json }

    /// Reads JSON text.
    public init?(sqlValue: SQLValue) {
        guard let value = JSONAttributeText.value(Self.self, of: sqlValue) else { return nil }
        self = value
    }

    /// The members as JSON text, their keys sorted.
    public var sqlValue: SQLValue { JSONAttributeText.sqlValue(of: self) }

    /// The JSON that the dictionary can be read from.
    public static var allowedValues: AllowedValues { JSONAttributeText.allowedValues(Self.self) }
}

/// Codable values as the text of a column.
private enum JSONAttributeText {
    static func value<Value: Decodable>(_ type: Value.Type, of sqlValue: SQLValue) -> Value? {
        guard case .text(let text) = sqlValue else { return nil }
        return try? JSONDocument(text).root.decode(type)
    }

    static func sqlValue(of value: some Encodable) -> SQLValue {
        guard let json = try? JSONEncoder.plain.encode(value) else {
            // What is not a number is refused where it is bound.
            return .real(.nan)
        }
        // One spelling for what comes from code and from JSON.
        guard let document = try? JSONDocument(json) else { return .real(.nan) }
        return .text(CanonicalJSON.text(of: document.root))
    }

    static func allowedValues<Value: AttributeValue & Decodable>(_ type: Value.Type)
        -> AllowedValues
    {
        let expectation = "JSON that makes a value of type \(type)"
        return .those(expectation) { value in
            objection(to: value, as: type).map { "\(expectation)\($0)" }
        }
    }

    /// Returns the reason why JSON makes no value, to stand behind the expectation; nil for none.
    private static func objection<Value: Decodable>(
        to value: SQLValue, as type: Value.Type
    ) -> String? {
        guard case .text(let text) = value else { return "" }
        do {
            _ = try JSONDocument(text).root.decode(type)
            return nil
        } catch let error as DecodingError {
            return " (\(JSONDecoding.reason(of: error)))"
        } catch {
            return ""
        }
    }
}
