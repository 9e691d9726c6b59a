/// Reads the members of an object.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder
    private let members: JSONMembers

    /// A container of a decoder's value, which must be an object.
    init(decoder: JSONValueDecoder) {
        self.decoder = decoder
        let name = decoder.shared.keyConversion(at: decoder.codingPath)
        members = JSONMembers(of: decoder.value, name: name)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func member(_ key: any CodingKey) throws -> JSONValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "no key \(key.stringValue) at \(decoder.value.path)"))
        }
        return decoder.decoder(of: value, at: key)
    }

    /// The member's decoder, nil where there is none or its value is null.
    private func memberIfPresent(_ key: Key) -> JSONValueDecoder? {
        guard let value = members[key.stringValue], !value.isNull else { return nil }
        return decoder.decoder(of: value, at: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try member(JSONCodingKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

extension JSONKeyedContainer {
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value.isNull }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).bool() }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).string() }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).double() }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).float() }

    func decode<Value: Decodable & FixedWidthInteger>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value {
        try member(key).integer(type)
    }

    // The protocol has refusing defaults for these two, which go before what is generic.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try member(key).integer(type)
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try member(key).integer(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).decode(type)
    }
}

extension JSONKeyedContainer {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try memberIfPresent(key)?.bool()
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try memberIfPresent(key)?.string()
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try memberIfPresent(key)?.double()
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try memberIfPresent(key)?.float()
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try memberIfPresent(key)?.integer(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try memberIfPresent(key)?.decode(type)
    }
}
