/// Reads the elements of an array, one after the other.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    private(set) var currentIndex = 0
    private let elementCount: Int
    /// The storage that the next element is in, at `node`.
    private var storage: JSONDocument.Storage
    private var node: Int
    private var end: Int
    /// Brings the elements of a long array.
    private var walk: JSONDocument.Storage.Walk?

    /// A container of a decoder's value, which must be an array.
    init(decoder: JSONValueDecoder) {
        self.decoder = decoder
        storage = decoder.value.storage
        node = storage.tape.firstChild(decoder.value.node)
        end = storage.tape.next(decoder.value.node)
        elementCount = storage.count(of: decoder.value.node)
        walk = storage.walk(through: decoder.value.node)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elementCount }
    var isAtEnd: Bool { currentIndex >= elementCount }

    /// The element that is next; it is only passed over once it has been read.
    private mutating func element() throws -> JSONValueDecoder {
        let key = JSONCodingKey(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self,
                DecodingError.Context(
                    codingPath: codingPath + [key],
                    debugDescription: "the array at \(decoder.value.path) has no more elements"))
        }
        if node >= end, let batch = try walk?.batch() {
            storage = batch
            node = batch.tape.firstChild(0)
            end = batch.tape.next(0)
        }
        return decoder.decoder(of: JSONValue(storage: storage, node: node), at: key)
    }

    private mutating func advance() {
        node = storage.tape.next(node)
        currentIndex += 1
    }

    private mutating func next<Result>(
        _ read: (JSONValueDecoder) throws -> Result
    ) throws -> Result {
        let result = try read(element())
        advance()
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard try element().value.isNull else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.bool() } }

    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.string() } }

    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.double() } }

    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.float() } }

    mutating func decode<Value: Decodable & FixedWidthInteger>(
        _ type: Value.Type
    ) throws -> Value {
        try next { try $0.integer(type) }
    }

    // The protocol has refusing defaults for these two, which go before what is generic.
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try next { try $0.integer(type) }
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try next { try $0.integer(type) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

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
