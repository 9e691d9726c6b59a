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
    /// Whether both are the same to a store, which compares text by its bytes: unlike `String`, it tells
    /// two spellings of one character apart.
    public static func == (left: SQLValue, right: SQLValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes text by its bytes, as it is compared.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null:
            hasher.combine(0 as UInt8)
        case .integer(let value):
            hasher.combine(1 as UInt8)
            hasher.combine(value)
        case .real(let value):
            hasher.combine(2 as UInt8)
            hasher.combine(value)
        case .text(var text):
            hasher.combine(3 as UInt8)
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .blob(let bytes):
            hasher.combine(4 as UInt8)
            hasher.combine(bytes)
        }
    }

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

extension String {
    /// The name as SQL takes it whatever it holds: quoted, its quotation marks doubled.
    var sqlName: String { "\"\(doubling("\""))\"" }

    /// The text with a quotation mark doubled wherever it stands.
    ///
    /// Text is looked at by its scalars, as SQLite does: to Swift a quotation mark with an accent
    /// on it is another character.
    func doubling(_ mark: Unicode.Scalar) -> String {
        guard unicodeScalars.contains(mark) else { return self }
        var doubled = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == mark { doubled.append(mark) }
            doubled.append(scalar)
        }
        return String(doubled)
    }
}
