/// The JSON of a wrapper, from which it takes its properties.
///
/// A key path is dotted, such as `meta.page`; without one the whole object or list is read, to read
/// several things of it or what a wrapper adds to an entity. A missing value leaves a property as it is,
/// and so does a step that is missing or null. `null` makes an optional nil, and is an error for any
/// other.
///
/// Like the context that it belongs to, a map is only valid in the call that it is handed to.
public struct WrapperMap {
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

    /// Writes objects into the store and takes them: an entity, `Many`, an array, an optional, a wrapper.
    ///
    /// - Throws: `MappingError` or `DecodingError` with the path of what does not fit, `StoreError`
    ///   where the store can't be written; for optionals as well.
    public func read<Value: Importable>(
        _ property: inout Value, at keyPath: String? = nil
    ) throws {
        guard let decoder = try decoder(at: keyPath), let context = decoder.context else { return }
        property = try context.importPart(Value.self, at: decoder)
    }

    /// Takes a value that is not stored.
    ///
    /// - Throws: `DecodingError` with the path of what does not fit, for optionals as well.
    @_disfavoredOverload  // An entity that could be decoded as well is stored.
    public func read<Value: Decodable>(
        _ property: inout Value, at keyPath: String? = nil
    ) throws {
        if let value = try decoder(at: keyPath)?.decode(Value.self) { property = value }
    }

    /// Takes a value after a conversion, which is asked only where there is one and it is not null.
    ///
    /// - Throws: `DecodingError` with the path of what does not fit, or can't be converted.
    public func read<Value, Source: Decodable>(
        _ property: inout Value, at keyPath: String? = nil, convert: (Source) throws -> Value
    ) throws {
        guard let decoder = try decoder(at: keyPath) else { return }
        if decoder.value.isNull { throw decoder.mismatch(Source.self) }
        property = try Self.convert(decoder, convert)
    }

    /// Takes a value after a conversion, which is not asked for null: that makes nil.
    ///
    /// - Throws: `DecodingError` with the path of what does not fit, or can't be converted.
    public func read<Value, Source: Decodable>(
        _ property: inout Value?, at keyPath: String? = nil, convert: (Source) throws -> Value?
    ) throws {
        guard let decoder = try decoder(at: keyPath) else { return }
        property = decoder.value.isNull ? nil : try Self.convert(decoder, convert)
    }

    /// The value as it stands at a key path, nil where there is none.
    ///
    /// - Throws: `DecodingError` where the wrapper or a step is anything but an object.
    public func json(at keyPath: String? = nil) throws -> JSONValue? {
        let value = try decoder(at: keyPath)?.value
        if let value { decoder.shared.readings?.noteWhole(value) }
        return value
    }

    private func decoder(at keyPath: String?) throws -> JSONValueDecoder? {
        guard let keyPath else { return decoder }
        return try decoder.decoder(at: keyPath)
    }

    /// Reads a value and converts it.
    ///
    /// - Throws: `DecodingError`, also around the error of a conversion, to say where it failed.
    private static func convert<Source: Decodable, Value>(
        _ decoder: JSONValueDecoder, _ transform: (Source) throws -> Value
    ) throws -> Value {
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
