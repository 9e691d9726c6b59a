/// The conversion between an attribute's JSON and its value, known by a name.
///
/// Besides those that every store knows, one can be made of closures, once, and used where an
/// attribute is declared:
///
///     extension Transformer {
///         nonisolated static let hexColor = Transformer(
///             "hexColor", from: { (text: String) in Int(text.dropFirst(), radix: 16) },
///             to: { (color: Int) in "#" + String(color, radix: 16) })
///     }
///
/// `nonisolated` can be left out, unless the module is isolated to the main actor.
///
/// For model files it is registered in `Store.Configuration.transformers`. Two transformers are
/// equal when their names are.
public struct Transformer: RawRepresentable, Sendable, Codable {
    /// The name, as model files have it.
    public let rawValue: String
    /// The conversion by closures, nil where that is built in, or registered by the name.
    let conversion: TransformerConversion?

    /// Names a transformer that is built in, or registered where the store is opened.
    public init(rawValue: String) {
        self.rawValue = rawValue
        conversion = nil
    }

    private init(_ name: String, _ conversion: TransformerConversion) {
        rawValue = name
        self.conversion = conversion
    }

    /// Makes a transformer of closures.
    ///
    /// - Parameters:
    ///   - name: The name; better none of those that are built in.
    ///   - from: Makes a value of what the JSON has, never asked about `null`. Nil is an empty value;
    ///     what it throws is reported as a `MappingError`. JSON of another kind than its parameter's
    ///     is an error too.
    ///   - to: Makes JSON of a value; nil leaves the key out. Without it the value goes back as
    ///     though there were no transformer.
    public init<JSON: Codable & Sendable, Value: AttributeValue>(
        _ name: String, from: @escaping @Sendable (JSON) throws -> Value?,
        to: (@Sendable (Value) throws -> JSON?)? = nil
    ) {
        self.init(name, TransformerConversion(from: from, to: to))
    }

    /// Makes a transformer that looks at the JSON by itself, whatever kind it is of.
    public init<Value: AttributeValue>(
        _ name: String, from: @escaping @Sendable (JSONValue) throws -> Value?
    ) {
        self.init(name, TransformerConversion(from: from))
    }

    /// Writes and reads the name alone.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Transformer: Hashable {
    /// Compares the names.
    public static func == (left: Transformer, right: Transformer) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Transformer {
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

    /// Takes JSON that does not fit for another value, or an empty one, instead of an error.
    ///
    ///     @Attribute(.lenient(State.self, otherwise: .other)) var state: State
    ///     @Attribute("closed_at", .lenient(Date.self)) var closedAt: Date?
    ///
    /// `null` and a missing key are what they are without it: empty, or an error where the attribute can't
    /// be.
    ///
    /// - Parameters:
    ///   - type: The type of the attribute, without its optional.
    ///   - transformer: What makes values of JSON that does fit; that of the type unless given.
    ///   - fallback: The value of what does not fit. Without one it is empty, which is an error where the
    ///     attribute can't be.
    public static func lenient<Value: AttributeValue>(
        _ type: Value.Type, by transformer: Transformer? = nil, otherwise fallback: Value? = nil
    ) -> Transformer {
        let words =
            ["lenient \(type)"] + (transformer.map { ["by \($0.rawValue)"] } ?? [])
            + (fallback.map { ["or \($0.sqlValue.literal)"] } ?? [])
        return Transformer(
            words.joined(separator: " "), TransformerConversion(by: transformer, or: fallback))
    }

    /// The transformers that every store knows.
    static let builtIn: Set<Transformer> = [
        .iso8601, .rfc1123, .unix, .unixMilliseconds, .number, .string, .base64, .boolean,
    ]

    /// Whether it gives values of a type, as far as that is known before a store is opened.
    func mayGive(_ type: AttributeType) -> Bool {
        if let conversion { return conversion.type == type }
        return !Self.builtIn.contains(self) || ValueCoder(type, self) != nil
    }
}

/// The name of a conversion that an entity's JSON objects go through before all else.
///
///     nonisolated static let flat = ObjectTransformer("flat") { object in
///         var result = JSONObject(object)
///         result.rename("legacy_id", to: "id")
///         return result
///     }
///
/// It applies to objects that are mapped as the entity itself, also nested ones, not to those of its
/// sub-entities' relationships. References by a bare identity pass as they are.
public struct ObjectTransformer: Sendable {
    /// A closure that rewrites an object; nil leaves it as it is.
    public typealias Rewriting = @Sendable (JSONValue) throws -> JSONObject?

    /// The name, as model files have it.
    public let name: String
    let rewrite: Rewriting?

    /// Makes a transformer; the closure gives nil for an object that is to stay as it is.
    public init(_ name: String, _ rewrite: @escaping Rewriting) {
        self.name = name
        self.rewrite = rewrite
    }

    /// Names a transformer that is registered where the store is opened.
    public init(named name: String) {
        self.name = name
        rewrite = nil
    }
}

extension ObjectTransformer: Hashable {
    /// Compares the names.
    public static func == (left: ObjectTransformer, right: ObjectTransformer) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
