import CLarderSQLite

extension ValueConversion {
    /// The SQL that converts what an expression gives; `NULL` where it can't be.
    func sql(_ expression: String) -> String {
        guard from != to, let source = Self.types.firstIndex(of: from),
            let target = Self.types.firstIndex(of: to)
        else { return expression }
        return "larder_convert(\(expression), \(source), \(target))"
    }

    fileprivate static let types = AttributeType.allCases

    /// Makes the SQL of conversions known to a connection.
    static func register(on connection: Connection) throws(StoreError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let result = sqlite3_create_function_v2(
            connection.pointer, "larder_convert", 3, flags, nil,
            { context, count, arguments in
                guard count == 3, let arguments, let value = arguments[0],
                    let source = arguments[1], let target = arguments[2]
                else { return sqlite3_result_null(context) }
                let from = Int(sqlite3_value_int64(source))
                let to = Int(sqlite3_value_int64(target))
                let types = ValueConversion.types
                guard types.indices.contains(from), types.indices.contains(to) else {
                    return sqlite3_result_null(context)
                }
                let conversion = ValueConversion(from: types[from], to: types[to])
                conversion.convert(SQLValue(value))?.asResult(of: context)
            }, nil, nil, nil)
        guard result == SQLITE_OK else { throw connection.error(result, sql: nil) }
    }
}

extension SQLValue {
    /// Reads an argument of a function.
    init(_ value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = sqlite3_value_text(value)
            let count = Int(sqlite3_value_bytes(value))
            self = .text(
                String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: self = .null
        }
    }

    /// Hands the value over as a function's result.
    func asResult(of context: OpaquePointer?) {
        switch self {
        case .null, .blob: sqlite3_result_null(context)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .real(let value): sqlite3_result_double(context, value)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text64(
                        context, $0.baseAddress ?? UnsafePointer(bitPattern: 1),
                        UInt64($0.count), larder_sqlite3_transient(), UInt8(SQLITE_UTF8))
                }
            }
        }
    }
}
