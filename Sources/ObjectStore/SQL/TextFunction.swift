import CLarderSQLite
import Foundation

/// SQL functions on text: by Unicode's rules where SQLite's own know the letters of ASCII only, and
/// on the whole text where SQLite's own end at the first NUL.
enum TextFunction {
    static let lowercased = "larder_lowercased"
    static let uppercased = "larder_uppercased"
    /// The number of Unicode scalars in a text.
    static let length = "larder_length"
    /// Whether the first text begins with the second.
    static let hasPrefix = "larder_has_prefix"
    /// Whether the first text ends with the second.
    static let hasSuffix = "larder_has_suffix"
    /// Whether the first text matches the pattern that the second is.
    static let matches = "larder_matches"

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    static func add(to connection: OpaquePointer) {
        SQLFunction.add(lowercased, argumentCount: 1, to: connection) { context, _, arguments in
            TextFunction.convert(context, arguments?[0]) { $0.lowercased() }
        }
        SQLFunction.add(uppercased, argumentCount: 1, to: connection) { context, _, arguments in
            TextFunction.convert(context, arguments?[0]) { $0.uppercased() }
        }
        SQLFunction.add(length, argumentCount: 1, to: connection) { context, _, arguments in
            guard let bytes = TextFunction.bytes(arguments?[0]) else {
                return sqlite3_result_null(context)
            }
            // All bytes but those that go on with a scalar.
            let count = bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
            sqlite3_result_int64(context, Int64(count))
        }
        SQLFunction.add(hasPrefix, argumentCount: 2, to: connection) { context, _, arguments in
            TextFunction.compare(context, arguments) { text, part in
                text.count >= part.count && TextFunction.areSame(text, 0, part)
            }
        }
        SQLFunction.add(hasSuffix, argumentCount: 2, to: connection) { context, _, arguments in
            TextFunction.compare(context, arguments) { text, part in
                text.count >= part.count
                    && TextFunction.areSame(text, text.count - part.count, part)
            }
        }
        SQLFunction.add(matches, argumentCount: 2, to: connection) { context, _, arguments in
            TextFunction.compare(context, arguments) { TextPattern($1).matches($0) }
        }
    }

    /// The bytes of a text, nil where there is none.
    private static func bytes(_ value: OpaquePointer?) -> Bytes? {
        guard sqlite3_value_type(value) != SQLITE_NULL, let start = sqlite3_value_text(value)
        else { return nil }
        return Bytes(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// Whether a text holds another at an offset where there is room for it.
    private static func areSame(_ text: Bytes, _ offset: Int, _ part: Bytes) -> Bool {
        guard let start = text.baseAddress, let part = part.baseAddress.map({ ($0, part.count) })
        else { return part.isEmpty }
        return memcmp(start + offset, part.0, part.1) == 0
    }

    private static func compare(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ comparison: (Bytes, Bytes) -> Bool
    ) {
        guard let text = bytes(arguments?[0]), let part = bytes(arguments?[1]) else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_int(context, comparison(text, part) ? 1 : 0)
    }

    private static func convert(
        _ context: OpaquePointer?, _ value: OpaquePointer?, _ conversion: (String) -> String
    ) {
        guard let bytes = bytes(value) else { return sqlite3_result_null(context) }
        let text = conversion(String(decoding: bytes, as: UTF8.self))
        sqlite3_result_text64(
            context, text, UInt64(text.utf8.count), larder_sqlite3_transient(),
            UInt8(SQLITE_UTF8))
    }
}
