import Foundation

/// Reads `Decodable` types from a JSON value.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    let shared: JSONDecoding

    var userInfo: [CodingUserInfoKey: Any] { shared.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.kind == .object else { throw mismatch([String: Any].self) }
        shared.readings?.note(value)
        return KeyedDecodingContainer(JSONKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard value.kind == .array else { throw mismatch([Any].self) }
        shared.readings?.note(value)
        return JSONUnkeyedContainer(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        shared.readings?.note(value)
        return JSONSingleValueContainer(decoder: self)
    }

    /// The decoder of a value inside this one.
    func decoder(of value: JSONValue, at key: any CodingKey) -> JSONValueDecoder {
        shared.readings?.note(value)
        return JSONValueDecoder(value: value, codingPath: codingPath + [key], shared: shared)
    }

    /// The decoder of what stands at a dotted key path, nil where a step is missing or null.
    ///
    /// - Throws: `DecodingError` where a step is anything but an object.
    func decoder(at keyPath: String) throws -> JSONValueDecoder? {
        var decoder = self
        var isFirst = true
        for step in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            if decoder.value.isNull, !isFirst { return nil }
            guard decoder.value.kind == .object else {
                throw decoder.mismatch([String: Any].self)
            }
            // Of a member that is missing somebody knows now, too.
            shared.readings?.note(decoder.value)
            let key = String(step)
            guard let value = decoder.value[key] else { return nil }
            decoder = decoder.decoder(of: value, at: JSONCodingKey(stringValue: key))
            isFirst = false
        }
        return decoder
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
    /// Reads the value; dates and other types that JSON does not have as the options say.
    func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
        if let value = try foundationValue(type) as? Result { return value }
        if !shared.keysAreVerbatim, let type = type as? any StringKeyedDictionary.Type,
            let value = try type.decode(from: self) as? Result
        {
            return value
        }
        guard let destination = shared.destination else { return try Result(from: self) }
        let count = destination.partCount
        do { return try Result(from: self) } catch {
            destination.noteFailure(error, of: type, since: count)
            throw error
        }
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
}

extension JSONValue {
    /// Reads a `Decodable` type; dates are ISO 8601 strings and bytes are base64 unless the options
    /// say otherwise.
    ///
    /// - Throws: `DecodingError` with the path of the value that does not fit.
    public func decode<Result: Decodable>(
        _ type: Result.Type = Result.self, options: DecodingOptions = DecodingOptions()
    ) throws -> Result {
        let shared = JSONDecoding(options: options)
        return try JSONValueDecoder(value: self, codingPath: [], shared: shared).decode(type)
    }

    /// Reads a `Decodable` type from what stands at a dotted key path, such as `data.items`.
    ///
    /// The path's steps are keys as the document has them.
    ///
    /// - Throws: `DecodingError` where nothing stands there, or not what the type asks for.
    public func decode<Result: Decodable>(
        _ type: Result.Type = Result.self, at keyPath: String,
        options: DecodingOptions = DecodingOptions()
    ) throws -> Result {
        let shared = JSONDecoding(options: options)
        let decoder = JSONValueDecoder(value: self, codingPath: [], shared: shared)
        guard let decoder = try decoder.decoder(at: keyPath) else {
            throw DecodingError.keyNotFound(
                JSONCodingKey(stringValue: keyPath),
                DecodingError.Context(
                    codingPath: [], debugDescription: "no value at \(keyPath) in \(path)"))
        }
        return try decoder.decode(type)
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
        decoder.shared.readings?.noteWhole(decoder.value)
        self = decoder.value
    }
}
