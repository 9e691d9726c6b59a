import CLarderSQLite

/// Any value as text that stands in a JSON array, for lists of which JSON does not have all values
/// exactly: floating-point numbers, bytes, and text with a NUL in it.
enum ListedValue {
    /// The SQL function that makes the value of the text.
    static let function = "larder_listed_value"

    static func add(to connection: OpaquePointer) {
        SQLFunction.add(function, argumentCount: 1, to: connection) { context, _, arguments in
            ListedValue.read(arguments?[0], into: context)
        }
    }

    /// The text, without characters that JSON would write otherwise but for those of a text itself.
    static func text(of value: SQLValue) -> String {
        switch value {
        case .null: "n"
        case .integer(let integer): "i\(integer)"
        case .real(let number): "r\(number.bitPattern)"
        case .text(let text): text.utf8.contains(0) ? "t\(hexadecimal(text.utf8))" : "s\(text)"
        case .blob(let bytes): "b\(hexadecimal(bytes))"
        }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private static func read(_ value: OpaquePointer?, into context: OpaquePointer?) {
        guard let start = sqlite3_value_text(value) else { return sqlite3_result_null(context) }
        let all = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        let rest = UnsafeBufferPointer(rebasing: all.dropFirst())
        switch all.first {
        case UInt8(ascii: "i"):
            sqlite3_result_int64(context, Int64(String(decoding: rest, as: UTF8.self)) ?? 0)
        case UInt8(ascii: "r"):
            let bits = UInt64(String(decoding: rest, as: UTF8.self)) ?? 0
            sqlite3_result_double(context, Double(bitPattern: bits))
        case UInt8(ascii: "s"):
            give(rest, to: context)
        case UInt8(ascii: "t"):
            bytes(rest).withUnsafeBufferPointer { give($0, to: context) }
        case UInt8(ascii: "b"):
            let bytes = bytes(rest)
            sqlite3_result_blob64(
                context, bytes.isEmpty ? [0] : bytes, UInt64(bytes.count),
                larder_sqlite3_transient())
        default:
            sqlite3_result_null(context)
        }
    }

    private static func give(_ text: UnsafeBufferPointer<UInt8>, to context: OpaquePointer?) {
        text.withMemoryRebound(to: CChar.self) { text in
            sqlite3_result_text64(
                context, text.baseAddress, UInt64(text.count), larder_sqlite3_transient(),
                UInt8(SQLITE_UTF8))
        }
    }

    private static func bytes(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        stride(from: 0, to: digits.count - 1, by: 2).map {
            digit(digits[$0]) << 4 | digit(digits[$0 + 1])
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
    }
}
