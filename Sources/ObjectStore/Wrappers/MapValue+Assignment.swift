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
