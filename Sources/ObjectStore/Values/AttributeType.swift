import Foundation

/// The type of an attribute's values, as the model names it.
public enum AttributeType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A whole number of up to 64 bits, stored as an integer.
    case integer
    /// A floating-point number, stored as a real.
    case double
    /// A decimal number of up to 38 digits, stored as text, exactly.
    case decimal
    /// True or false, stored as 1 or 0.
    case boolean
    /// Text.
    case string
    /// A point in time, stored as seconds since the beginning of 2001 (UTC), as `Date` counts, so
    /// that it comes back exactly.
    case date
    /// A URL, stored as text.
    case url
    /// A UUID, stored as upper-case text.
    case uuid
    /// Bytes, stored as a blob.
    case data
    /// Any JSON value, stored as text in the one spelling that equal values have.
    case json
}

extension AttributeType {
    /// The type of the column that holds such values.
    var columnType: String {
        switch self {
        case .integer, .boolean: "INTEGER"
        case .double, .date: "REAL"
        case .decimal, .string, .url, .uuid, .json: "TEXT"
        case .data: "BLOB"
        }
    }

    /// The transformer that applies where an attribute names none.
    var defaultTransformer: Transformer? {
        switch self {
        case .date: .iso8601
        case .data: .base64
        case .integer, .double, .decimal, .boolean, .string, .url, .uuid, .json: nil
        }
    }

    /// The collation that puts such values in their order, nil where SQLite's own does.
    var collation: String? {
        switch self {
        case .decimal: DecimalCollation.name
        case .integer, .double, .boolean, .string, .date, .url, .uuid, .data, .json: nil
        }
    }
}

extension AttributeType {
    /// Whether a column of this type keeps a value so that it comes back; an empty one it does.
    func keeps(_ value: SQLValue) -> Bool {
        if value == .null { return true }
        return switch self {
        case .integer, .boolean: if case .integer = value { true } else { false }
        // SQLite would keep what is not a number as no value.
        case .double: if case .real(let number) = value { !number.isNaN } else { false }
        case .date: if case .real(let seconds) = value { seconds.isFinite } else { false }
        case .string, .json: if case .text = value { true } else { false }
        case .url: if case .text(let text) = value { URL(string: text) != nil } else { false }
        case .uuid: if case .text(let text) = value { UUID(uuidString: text) != nil } else { false }
        case .decimal:
            if case .text(let text) = value { Decimal(spelling: text) != nil } else { false }
        case .data: if case .blob = value { true } else { false }
        }
    }

    /// A value as columns of this type spell it: a UUID in upper case, a URL without what none has.
    func spelled(_ value: SQLValue) -> SQLValue {
        switch self {
        case .url: URL(sqlValue: value)?.sqlValue ?? value
        case .uuid: UUID(sqlValue: value)?.sqlValue ?? value
        case .integer, .double, .decimal, .boolean, .string, .date, .data, .json: value
        }
    }

    /// Whether its columns can hold values that it does not keep, which only damage puts there.
    var isNarrowerThanColumn: Bool {
        switch self {
        case .date, .url, .uuid, .decimal, .boolean, .json: true
        case .integer, .double, .string, .data: false
        }
    }

    /// Whether its column can hold a value but for damage; an empty one it can.
    func holds(_ value: SQLValue) -> Bool {
        switch (self, value) {
        case (.boolean, .integer(let number)): number == 0 || number == 1
        case (.json, .text(let text)): (try? JSONDocument(text, depthLimit: .max)) != nil
        default: keeps(value)
        }
    }

    /// The type in the words of an error.
    var plainName: String {
        switch self {
        case .integer: "a whole number of at most 64 bits"
        case .double: "a number"
        case .decimal: "a decimal number"
        case .boolean: "true or false"
        case .string: "text"
        case .date: "a point in time"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data: "bytes"
        case .json: "JSON"
        }
    }
}
