extension ValueCoder {
    /// Whether a column holds the value of a JSON node; false also where the node holds none.
    @inline(__always)
    func isEqual(_ node: Int, of tape: JSONTape, to statement: Statement, at column: Int32) -> Bool
    {
        let kind = tape.kind(node)
        switch self {
        case .integer:
            if let value = tape.integer(node) { return statement.holds(value, at: column) }
        case .double:
            if let value = tape.double(node) { return statement.holds(value, at: column) }
        case .boolean:
            if kind == .true { return statement.holds(1 as Int64, at: column) }
            if kind == .false { return statement.holds(0 as Int64, at: column) }
        case .string:
            if kind == .plainString { return statement.holds(text: tape.text(node), at: column) }
            if kind == .escapedString {
                return tape.withUnescaped(node) { statement.holds(text: $0, at: column) }
            }
        case .dateISO8601:
            if kind == .plainString {
                return ISO8601.date(tape.text(node)).map { statement.holds($0, at: column) }
                    ?? false
            }
        case .integerInString, .doubleInString, .single, .singleInString, .looseBoolean,
            .looseString, .decimal, .dateRFC1123, .dateUnix, .url, .uuid, .base64, .json, .special:
            break
        }
        guard let value = value(of: node, in: tape) else { return false }
        return value == statement.value(at: column)
    }
}
