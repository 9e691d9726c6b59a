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
