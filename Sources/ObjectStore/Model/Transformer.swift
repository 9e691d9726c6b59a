/// The name of a conversion between an attribute's JSON and its value.
public struct Transformer: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, as model files have it.
    public let rawValue: String

    /// Names a transformer.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ISO 8601 dates as in RFC 3339: `2026-11-21T10:30:00.25Z`, with an offset, or a date alone.
    public static let iso8601 = Transformer(rawValue: "iso8601")
    /// Dates of HTTP and e-mail: `Sat, 21 Nov 2026 10:30:00 GMT`.
    public static let rfc1123 = Transformer(rawValue: "rfc1123")
    /// Seconds since the beginning of 1970 (UTC), as a number or in a string.
    public static let unix = Transformer(rawValue: "unix")
    /// Milliseconds since the beginning of 1970 (UTC), as a number or in a string.
    public static let unixMilliseconds = Transformer(rawValue: "unixMilliseconds")
    /// Numbers, also where they stand in strings.
    public static let number = Transformer(rawValue: "number")
    /// Strings, also where a number or a boolean stands.
    public static let string = Transformer(rawValue: "string")
    /// Bytes as base64 (RFC 4648).
    public static let base64 = Transformer(rawValue: "base64")
    /// Booleans, also as 0 and 1 and as "true" and "false".
    public static let boolean = Transformer(rawValue: "boolean")

    /// The transformers that every store knows.
    static let builtIn: Set<Transformer> = [
        .iso8601, .rfc1123, .unix, .unixMilliseconds, .number, .string, .base64, .boolean,
    ]
}
