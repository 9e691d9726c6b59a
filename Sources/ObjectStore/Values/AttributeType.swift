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
