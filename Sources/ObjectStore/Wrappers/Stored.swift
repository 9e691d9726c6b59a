/// Marks the part of a wrapper that goes into the store.
@propertyWrapper
public struct Stored<Value: Insertable>: Sendable {
    /// The value that the stored part has become: an object, `Many`, a wrapper.
    public var wrappedValue: Value

    /// Wraps a value that is in the store already.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension Stored: Decodable {
    /// Writes the JSON at this place into the store.
    ///
    /// - Throws: `DecodingError` where the decoder is not that of a store's response.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder, let context = decoder.context else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "@Stored values can only be read into a store"))
        }
        wrappedValue = try context.insertingPart {
            try Value.insert(from: decoder.value, in: context)
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads an optional stored part: a missing key is nil, as it is for other optionals.
    public func decode<Value: Insertable>(
        _ type: Stored<Value?>.Type, forKey key: Key
    ) throws -> Stored<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Stored(wrappedValue: nil)
    }
}
