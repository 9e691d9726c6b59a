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
}
