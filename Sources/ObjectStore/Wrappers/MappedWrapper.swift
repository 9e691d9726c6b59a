/// A wrapper that takes its JSON apart itself, key by key.
///
/// It says all in one place: defaults, key paths, what is stored, what is converted.
///
///     struct LogIn: MappedWrapper {
///         var token = ""
///         var user: User?
///         var issues: Many<Issue>?
///
///         mutating func map(_ map: WrapperMap) throws {
///             try map.read(&token, at: "token")
///             try map.read(&user, at: "meta.user")     // an entity: it is stored
///             try map.read(&issues, at: "issues")
///         }
///     }
///
/// Properties are written in the order of the lines. Classes can be such wrappers too.
public protocol MappedWrapper: Wrapper {
    /// A wrapper before anything is read: what the JSON lacks keeps the values it has here.
    init()

    /// Reads the properties by `read` of ``WrapperMap``.
    ///
    /// The objects of a response belong together: where some of them can't be written, nothing of the
    /// response is, and importing it throws their error, even if it is caught here. The error of a value
    /// that is not stored may be caught.
    ///
    /// - Throws: What reading throws; nothing of the response is stored then.
    mutating func map(_ map: WrapperMap) throws
}

extension MappedWrapper {
    /// Reads the wrapper from a response that is being stored.
    ///
    /// - Throws: `DecodingError` where the decoder is another's, or what `map(_:)` throws.
    public init(from decoder: any Decoder) throws {
        self.init()
        try map(WrapperMap(decoder))
    }
}

/// Marks the part of a wrapper that goes into the store.
@propertyWrapper
public struct Stored<Value: Importable>: Sendable {
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
        wrappedValue = try context.importPart(Value.self, at: decoder)
    }
}

extension KeyedDecodingContainer {
    /// Reads an optional stored part: a missing key is nil, as it is for other optionals.
    public func decode<Value: Importable>(
        _ type: Stored<Value?>.Type, forKey key: Key
    ) throws -> Stored<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Stored(wrappedValue: nil)
    }
}

/// The property of a wrapper that is optional by ``Wrapper``, of a type that is not.
///
/// A property of another type than a protocol's has nothing to do with it, and the compiler takes the
/// default without a word. `static let decodingOptions = DecodingOptions(…)` would be ignored; here it
/// counts.
public protocol DefiniteWrapper {
    /// The options for reading keys, dates and other values that JSON does not have, where given.
    @_disfavoredOverload  // What is asked for by its name is the wrapper's.
    static var decodingOptions: DecodingOptions { get }
}

extension DefiniteWrapper {
    /// Those of the place where the wrapper stands.
    @_disfavoredOverload
    public static var decodingOptions: DecodingOptions { .absent }

    /// Those that the wrapper has in its definite type.
    static var ownDecodingOptions: DecodingOptions? {
        let options: DecodingOptions = decodingOptions
        return options.isAbsent ? nil : options
    }
}
