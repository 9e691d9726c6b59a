import Foundation

/// The value that an attribute has when an object is inserted without it.
///
/// A decimal number, a URL and a UUID are strings; a date is seconds since the beginning of 2001
/// (UTC), as `Date` counts.
public enum DefaultValue: Hashable, Sendable {
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A truth value.
    case boolean(Bool)
    /// A string.
    case string(String)
}

extension DefaultValue: Encodable {
    /// Writes a JSON number, boolean or string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        }
    }
}

extension DefaultValue {
    /// Reads the default of an attribute as a model file has it, nil where it does not fit.
    init?(_ value: JSONValue, of type: AttributeType) {
        let text =
            value.kind == .number ? String(decoding: value.source, as: UTF8.self) : value.string
        let read: DefaultValue? =
            switch type {
            case .integer: value.integer.map(DefaultValue.integer)
            case .double: value.double.map(DefaultValue.double)
            case .boolean: value.bool.map(DefaultValue.boolean)
            case .string: value.string.map(DefaultValue.string)
            case .decimal: text.flatMap { Decimal(spelling: $0) == nil ? nil : .string($0) }
            case .date: (value.double ?? Self.seconds(value.string)).map(DefaultValue.double)
            case .url, .uuid: value.string.map(DefaultValue.string)
            case .data, .json: nil
            }
        guard let read = read?.normalized(for: type), read.fits(type) else { return nil }
        self = read
    }

    private static func seconds(_ text: String?) -> Double? {
        guard var text else { return nil }
        return text.withUTF8 { ISO8601.date($0) }
    }

    /// Returns the form of a default in model files, in an error's words; nil where none can be.
    static func expectation(of type: AttributeType) -> String? {
        switch type {
        case .integer: "a whole number of at most 64 bits"
        case .double: "a number"
        case .boolean: "true or false"
        case .string: "a string"
        case .decimal: "a decimal number of at most 38 digits, or one in a string"
        case .date: "a date as in ISO 8601, or seconds since the beginning of 2001"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data, .json: nil
        }
    }

    /// The value as it stands in a column.
    var sqlValue: SQLValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .real(value)
        case .boolean(let value): .integer(value ? 1 : 0)
        case .string(let value): .text(value)
        }
    }

    /// The value as the type spells it, so that equal defaults are the same value.
    func normalized(for type: AttributeType) -> DefaultValue {
        switch type {
        case .double:
            if case .integer(let value) = self { .double(Double(value)) } else { self }
        case .decimal:
            if case .string(let text) = self {
                .string(Decimal(spelling: text)?.description ?? text)
            } else {
                self
            }
        case .uuid:
            if case .string(let text) = self {
                .string(UUID(uuidString: text)?.uuidString ?? text)
            } else {
                self
            }
        case .url:
            if case .string(let text) = self {
                .string(URL(string: text)?.absoluteString ?? text)
            } else {
                self
            }
        case .integer, .boolean, .string, .date, .data, .json: self
        }
    }

    /// Whether an attribute of this type can have the value.
    func fits(_ type: AttributeType) -> Bool {
        switch type {
        case .integer: if case .integer = self { true } else { false }
        case .boolean: if case .boolean = self { true } else { false }
        case .string: if case .string = self { true } else { false }
        case .double, .date: if case .double(let value) = self { value.isFinite } else { false }
        case .decimal: Decimal(sqlValue: sqlValue) != nil
        case .url: URL(sqlValue: sqlValue) != nil
        // Columns hold UUIDs in upper case, and comparisons are those of text.
        case .uuid:
            if case .string(let text) = self {
                UUID(uuidString: text)?.uuidString == text
            } else {
                false
            }
        case .data, .json: false
        }
    }
}

extension SQLValue {
    /// The value as a default of an attribute: booleans are integers in SQLite.
    func asDefault(of type: AttributeType) -> DefaultValue? {
        switch self {
        case .integer(let value):
            type == .boolean ? .boolean(value != 0) : .integer(value)
        case .real(let value): .double(value)
        case .text(let value): .string(value)
        case .null: nil
        // No type has such a default; the model says so.
        case .blob: .string("")
        }
    }
}
