/// A coder between an attribute's JSON and its column: type and transformer, worked out once.
enum ValueCoder: Sendable {
    case integer, integerInString, double, doubleInString, single, singleInString, boolean,
        looseBoolean, string
    case looseString, decimal, dateISO8601, dateRFC1123, dateUnix(perSecond: Double), url, uuid
    case base64, json
    /// A converter of the column's own makes the value.
    case special

    /// Nil where the transformer does not give values of the type.
    ///
    /// - Parameter isSingle: Whether numbers are of single precision.
    init?(_ type: AttributeType, _ transformer: Transformer?, isSingle: Bool = false) {
        let coder: ValueCoder? =
            switch type {
            case .integer: Self.of(transformer, nil: .integer, [.number: .integerInString])
            case .double where isSingle:
                Self.of(transformer, nil: .single, [.number: .singleInString])
            case .double: Self.of(transformer, nil: .double, [.number: .doubleInString])
            case .decimal: Self.of(transformer, nil: .decimal, [.number: .decimal])
            case .boolean: Self.of(transformer, nil: .boolean, [.boolean: .looseBoolean])
            case .string: Self.of(transformer, nil: .string, [.string: .looseString])
            case .date:
                Self.of(
                    transformer, nil: nil,
                    [
                        .iso8601: .dateISO8601, .rfc1123: .dateRFC1123,
                        .unix: .dateUnix(perSecond: 1),
                        .unixMilliseconds: .dateUnix(perSecond: 1000),
                    ])
            case .url: Self.of(transformer, nil: .url)
            case .uuid: Self.of(transformer, nil: .uuid)
            case .data: Self.of(transformer, nil: nil, [.base64: .base64])
            case .json: Self.of(transformer, nil: .json)
            }
        guard let coder else { return nil }
        self = coder
    }

    /// One of a type's coders: that without a transformer, or that of the transformer.
    private static func of(
        _ transformer: Transformer?, nil plain: ValueCoder?,
        _ others: [Transformer: ValueCoder] = [:]
    ) -> ValueCoder? {
        if let transformer { others[transformer] } else { plain }
    }

    /// The form of the JSON that the coder reads, in an error's words.
    var expectation: String {
        switch self {
        case .integer: "a whole number of at most 64 bits"
        case .integerInString: "a whole number of at most 64 bits, or one in a string"
        case .double, .single: "a number"
        case .doubleInString, .singleInString: "a number, or one in a string"
        case .boolean: "true or false"
        case .looseBoolean: "true or false, 1 or 0, \"true\" or \"false\""
        case .string: "a string"
        case .looseString: "a string, a number or a boolean"
        case .decimal: "a decimal number of at most 38 digits, or one in a string"
        case .dateISO8601: "a date as in ISO 8601"
        case .dateRFC1123: "a date as in RFC 1123"
        case .dateUnix: "a number of seconds or milliseconds since 1970"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .base64: "bytes in base64"
        case .json: "JSON"
        case .special: "a value"
        }
    }
}

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
