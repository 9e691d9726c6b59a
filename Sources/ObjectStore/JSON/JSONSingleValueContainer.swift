/// Reads a value that is neither an object nor an array.
struct JSONSingleValueContainer: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }

    func decode(_ type: String.Type) throws -> String { try decoder.string() }

    func decode(_ type: Double.Type) throws -> Double { try decoder.double() }

    func decode(_ type: Float.Type) throws -> Float { try decoder.float() }

    func decode<Value: Decodable & FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try decoder.integer(type)
    }

    // The protocol has refusing defaults for these two, which go before what is generic.
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.integer(type) }

    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.integer(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type)
    }
}
