/// A value as SQLite keeps it.
public enum SQLValue: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLValue {
    /// The value as a literal in SQL, which can also stand as a column's default.
    var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value) where value.isNaN: "NULL"
        case .real(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
        case .real(let value): String(value)
        // A statement's text ends at its first NUL.
        case .text(let value) where value.utf8.contains(0):
            "(CAST(\(SQLValue.blob([UInt8](value.utf8)).literal) AS TEXT))"
        case .text(let value): "'\(value.doubling("'"))'"
        case .blob(let bytes):
            "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}
