import CLarderSQLite

/// Adds functions to a connection, for its queries to call.
enum SQLFunction {
    typealias Body =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    /// Adds a function whose result depends on its arguments only.
    static func add(
        _ name: String, argumentCount: Int32, to connection: OpaquePointer, _ body: Body
    ) {
        // It fails only for lack of memory; a query that calls the function says so then.
        sqlite3_create_function_v2(
            connection, name, argumentCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, body, nil,
            nil, nil)
    }

    /// Adds a function that a migration's own statements alone may call.
    ///
    /// - Parameter object: What the function works with, kept as long as the connection has it.
    static func add(
        _ name: String, argumentCount: Int32, to connection: Connection,
        lending object: AnyObject? = nil, _ body: Body
    ) throws(StoreError) {
        // SQLite lets go of the object even where it fails.
        let result = sqlite3_create_function_v2(
            connection.pointer, name, argumentCount,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            object.map { Unmanaged.passRetained($0).toOpaque() }, body, nil, nil,
            { object in object.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
        guard result == SQLITE_OK else { throw connection.error(result, sql: nil) }
    }

    /// Returns the object that was lent to a function, from the context of its call.
    static func lent<Object: AnyObject>(_ type: Object.Type, to context: OpaquePointer?) -> Object?
    {
        sqlite3_user_data(context).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The SQL function that gives the number of single precision which comes nearest to a number;
/// `NULL` where that is not finite.
enum SingleFunction {
    static let name = "larder_single"

    static func add(to connection: OpaquePointer) {
        SQLFunction.add(name, argumentCount: 1, to: connection) { context, _, arguments in
            guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            let single = Float(sqlite3_value_double(value))
            guard single.isFinite else { return sqlite3_result_null(context) }
            sqlite3_result_double(context, Double(single))
        }
    }
}

/// A part of a date in the Gregorian calendar, UTC, as a query asks for it.
enum DatePart: Int64 {
    case year, month, day, hour, weekday

    static let function = "larder_date_part"

    static func add(to connection: OpaquePointer) {
        SQLFunction.add(function, argumentCount: 2, to: connection) { context, _, arguments in
            guard let date = arguments?[0], let part = arguments?[1],
                sqlite3_value_type(date) != SQLITE_NULL,
                let part = DatePart(rawValue: sqlite3_value_int64(part)),
                let value = part.value(of: sqlite3_value_double(date))
            else { return sqlite3_result_null(context) }
            sqlite3_result_int64(context, Int64(value))
        }
    }

    /// The part of a point in time given in seconds since the beginning of 2001, nil where that is
    /// more than some hundred million years away.
    func value(of seconds: Double) -> Int? {
        guard abs(seconds) < 1e16 else { return nil }
        let days = Int((seconds / 86_400).rounded(.down))
        switch self {
        case .hour:
            return Int((seconds - Double(days) * 86_400) / 3600)
        case .weekday:
            // 2001 began on a Monday.
            return ((days + 1) % 7 + 7) % 7 + 1
        case .year, .month, .day:
            let date = ISO8601.civilDate(daysSince2001: days)
            return self == .year ? date.year : self == .month ? date.month : date.day
        }
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
        case .null: sqlite3_result_null(context)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .real(let value): sqlite3_result_double(context, value)
        case .blob(let bytes):
            bytes.withUnsafeBytes {
                sqlite3_result_blob64(
                    context, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
                    UInt64($0.count), larder_sqlite3_transient())
            }
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
