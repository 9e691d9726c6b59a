import Foundation

/// Reads `Decodable` types from a JSON value, and stored parts into the store on the way.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    /// The transaction that stored parts are written in, nil where there is none.
    let context: Context?

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.kind == .object else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(JSONKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard value.kind == .array else { throw mismatch([Any].self) }
        return JSONUnkeyedContainer(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        JSONSingleValueContainer(decoder: self)
    }

    /// The decoder of a value inside this one.
    func decoder(of value: JSONValue, at key: any CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(value: value, codingPath: codingPath + [key], context: context)
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        let description = "expected \(type) at \(value.path), found \(value.kind.rawValue)"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: description)
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "\(description) at \(value.path)"))
    }
}

extension JSONValueDecoder {
    /// Reads the value; dates are taken from ISO 8601 strings and bytes from base64, since JSON
    /// has neither.
    func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
        if let value = try foundationValue(type) as? Result { return value }
        return try Result(from: self)
    }

    /// The value as one of Foundation's types whose own way of decoding is not that of JSON.
    ///
    /// Not an optional: nil, taken as `Any`, would pass for an empty `Result`.
    private func foundationValue(_ type: Any.Type) throws -> Any {
        if type == Date.self { return try date() }
        if type == Data.self { return try data() }
        if type == URL.self { return try url() }
        if type == Decimal.self { return try decimal() }
        return ()
    }

    func string() throws -> String {
        guard let string = value.string else { throw mismatch(String.self) }
        return string
    }

    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard value.kind == .number else { throw mismatch(type) }
        guard let number = value.tape.integer(value.node, as: type) else { throw unfit(type) }
        return number
    }

    func double() throws -> Double {
        guard value.kind == .number else { throw mismatch(Double.self) }
        guard let number = value.double else { throw unfit(Double.self) }
        return number
    }

    func float() throws -> Float {
        guard value.kind == .number else { throw mismatch(Float.self) }
        guard let number = value.tape.float(value.node) else { throw unfit(Float.self) }
        return number
    }

    func bool() throws -> Bool {
        guard let bool = value.bool else { throw mismatch(Bool.self) }
        return bool
    }

    private func date() throws -> Date {
        guard var text = value.string else { throw mismatch(Date.self) }
        guard let seconds = text.withUTF8({ ISO8601.date($0) }) else {
            throw corrupted("expected a date as in ISO 8601")
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private func data() throws -> Data {
        guard let data = Data(base64Encoded: try string()) else {
            throw corrupted("expected bytes in base64")
        }
        return data
    }

    private func url() throws -> URL {
        guard let url = URL(string: try string()) else { throw corrupted("expected a URL") }
        return url
    }

    private func decimal() throws -> Decimal {
        guard value.kind == .number else { throw mismatch(Decimal.self) }
        let text = String(decoding: value.source, as: UTF8.self)
        guard let decimal = Decimal(spelling: text) else { throw unfit(Decimal.self) }
        return decimal
    }

    private func unfit(_ type: Any.Type) -> DecodingError {
        let text = String(decoding: value.source.prefix(64), as: UTF8.self)
        return corrupted("the number \(text) does not fit \(type)")
    }
}

extension JSONValue {
    /// Reads a `Decodable` type; dates are ISO 8601 strings, bytes are base64.
    ///
    /// - Throws: `DecodingError` with the path of the value that does not fit.
    public func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
        try JSONValueDecoder(value: self, codingPath: [], context: nil).decode(type)
    }

    /// Reads a `Decodable` type whose stored parts are written in a transaction.
    func decode<Result: Decodable>(_ type: Result.Type, in context: Context) throws -> Result {
        try JSONValueDecoder(value: self, codingPath: [], context: context).decode(type)
    }
}

extension JSONValue: Decodable {
    /// Takes the value at a decoder's place as it stands.
    ///
    /// - Throws: `DecodingError` where the decoder is not that of a `JSONDocument`.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a JSON value can only be read from a JSON document"))
        }
        self = decoder.value
    }
}
