/// The JSON of a wrapper, from which it takes its properties.
///
/// Like the context that it belongs to, a map is only valid in the call that it is handed to.
public struct Map {
    /// A place in the JSON that no key path leads to.
    public enum Place: Sendable {
        /// The place of the wrapper itself: the whole object or list.
        case root
    }

    private let decoder: JSONValueDecoder

    init(_ decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder, decoder.context != nil else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a mapped wrapper can only be read into a store"))
        }
        self.decoder = decoder
    }

    /// The value at a dotted key path, such as `meta.page`.
    ///
    /// A step that is missing or null leads nowhere, as in the key paths of entities.
    ///
    /// - Throws: `DecodingError` where the wrapper or a step is anything but an object.
    public subscript(keyPath: String) -> MapValue {
        get throws { MapValue(decoder: try decoder.decoder(at: keyPath)) }
    }

    /// The whole object or list, to read several things of it or what a wrapper adds to an entity.
    public subscript(place: Place) -> MapValue {
        MapValue(decoder: decoder)
    }
}

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

/// Takes a property of a wrapper from its JSON.
///
/// A missing value leaves the property as it is. `null` makes an optional nil, and is an error for
/// any other.
infix operator <- : AssignmentPrecedence

extension MapValue {
    /// Writes objects into the store and takes them: an entity, `Many`, an array, an optional.
    ///
    /// - Throws: `MappingError` or `DecodingError` with the path of what does not fit, `StoreError`
    ///   where the store can't be written; for optionals as well.
    public static func <- <Value: Insertable>(property: inout Value, source: MapValue) throws {
        if let value = try source.insert(Value.self) { property = value }
    }

    /// Takes a value that is not stored.
    ///
    /// - Throws: `DecodingError` with the path of what does not fit, for optionals as well.
    public static func <- <Value: Decodable>(property: inout Value, source: MapValue) throws {
        if let value = try source.decode(Value.self) { property = value }
    }

    /// Takes a wrapper, or writes an entity that could be decoded as well into the store.
    ///
    /// - Throws: As the others do.
    public static func <- <Value: Insertable & Decodable>(property: inout Value, source: MapValue)
        throws
    {
        if let value = try source.insert(Value.self) { property = value }
    }
}

/// Takes a value after a conversion, which is asked only where there is one and it is not null.
///
/// - Throws: `DecodingError` with the path of what does not fit, or can't be converted.
public func <- <Value, Source: Decodable>(
    property: inout Value, source: (MapValue, (Source) throws -> Value)
) throws {
    let (source, transform) = source
    if let decoder = source.decoder, decoder.value.isNull { throw decoder.mismatch(Source.self) }
    if let value = try source.convert(transform) { property = value }
}

/// Takes a value after a conversion, which is not asked for null: that makes nil.
///
/// - Throws: `DecodingError` with the path of what does not fit, or can't be converted.
public func <- <Value, Source: Decodable>(
    property: inout Value?, source: (MapValue, (Source) throws -> Value?)
) throws {
    let (source, transform) = source
    guard let json = source.json else { return }
    property = json.isNull ? nil : try source.convert(transform) ?? nil
}
