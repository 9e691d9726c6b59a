import CLarderSQLite

/// SQL functions on text by Unicode's rules, where SQLite's own know the letters of ASCII only.
enum TextFunction {
    static let lowercased = "larder_lowercased"
    static let uppercased = "larder_uppercased"

    static func add(to connection: OpaquePointer) {
        SQLFunction.add(lowercased, argumentCount: 1, to: connection) { context, _, arguments in
            TextFunction.convert(context, arguments?[0]) { $0.lowercased() }
        }
        SQLFunction.add(uppercased, argumentCount: 1, to: connection) { context, _, arguments in
            TextFunction.convert(context, arguments?[0]) { $0.uppercased() }
        }
    }

    private static func convert(
        _ context: OpaquePointer?, _ value: OpaquePointer?, _ conversion: (String) -> String
    ) {
        guard sqlite3_value_type(value) != SQLITE_NULL, let start = sqlite3_value_text(value)
        else { return sqlite3_result_null(context) }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        let text = conversion(String(decoding: bytes, as: UTF8.self))
        sqlite3_result_text64(
            context, text, UInt64(text.utf8.count), larder_sqlite3_transient(),
            UInt8(SQLITE_UTF8))
    }
}
