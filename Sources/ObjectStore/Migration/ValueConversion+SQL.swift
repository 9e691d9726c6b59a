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
        try SQLFunction.add("larder_convert", argumentCount: 3, to: connection) {
            context, count, arguments in
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
        }
    }
}
