/// How an attribute's JSON becomes what its column holds: type and transformer, worked out once.
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
        switch (type, transformer) {
        case (.double, nil) where isSingle: self = .single
        case (.double, .number?) where isSingle: self = .singleInString
        case (.integer, nil): self = .integer
        case (.integer, .number?): self = .integerInString
        case (.double, nil): self = .double
        case (.double, .number?): self = .doubleInString
        case (.decimal, nil), (.decimal, .number?): self = .decimal
        case (.boolean, nil): self = .boolean
        case (.boolean, .boolean?): self = .looseBoolean
        case (.string, nil): self = .string
        case (.string, .string?): self = .looseString
        case (.date, .iso8601?): self = .dateISO8601
        case (.date, .rfc1123?): self = .dateRFC1123
        case (.date, .unix?): self = .dateUnix(perSecond: 1)
        case (.date, .unixMilliseconds?): self = .dateUnix(perSecond: 1000)
        case (.url, nil): self = .url
        case (.uuid, nil): self = .uuid
        case (.data, .base64?): self = .base64
        case (.json, nil): self = .json
        default: return nil
        }
    }

    /// What the coder reads, in an error's words.
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
