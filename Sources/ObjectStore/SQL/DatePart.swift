import CLarderSQLite

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
