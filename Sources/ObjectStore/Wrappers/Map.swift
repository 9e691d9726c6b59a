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
