/// The JSON for a property of a wrapper: a value, `null` or nothing.
public struct MapValue {
    /// The value's decoder; nil: there is no value.
    let decoder: JSONValueDecoder?

    /// The value as it stands in the JSON, nil where there is none.
    public var json: JSONValue? { decoder?.value }
}

extension MapValue {
    /// Reads a value, nil where there is none.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try decoder?.decode(type)
    }

    /// Writes a value into the store, nil where there is none.
    func insert<Value: Insertable>(_ type: Value.Type) throws -> Value? {
        guard let decoder, let context = decoder.context else { return nil }
        return try context.insertingPart { try type.insert(from: decoder.value, in: context) }
    }

    /// Reads a value and converts it; nil where there is none, or where it is null.
    ///
    /// - Throws: `DecodingError`, also around the error of a conversion, to say where it failed.
    func convert<Source: Decodable, Value>(
        _ transform: (Source) throws -> Value
    ) throws -> Value? {
        guard let decoder, !decoder.value.isNull else { return nil }
        let source = try decoder.decode(Source.self)
        do {
            return try transform(source)
        } catch let error as DecodingError {
            throw error
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "the value at \(decoder.value.path) can't be converted",
                    underlyingError: error))
        }
    }
}
