import CLarderSQLite

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
