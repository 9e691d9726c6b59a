/// A response of which a part is stored and the rest is only handed over.
///
/// Properties marked `@Stored` are written into the store; all others are read from the JSON as
/// `Decodable` reads them.
///
///     struct LogIn: Wrapper {
///         var token: String
///         @Stored var user: User
///     }
///
/// In a module that is isolated to the main actor, mark the types of the other properties
/// `nonisolated`: they are read elsewhere, and the compiler does not ask for it.
///
/// The stored parts belong together: where one of them can't be written nothing of the response is, and
/// importing it throws the part's error, even if an `init(from:)` of one's own has caught it.
///
/// A ``MappedWrapper`` spells the same out key by key.
public protocol Wrapper: Importable, Decodable, DefiniteWrapper {
    /// The options for reading keys, dates and other values that JSON does not have; nil: those of
    /// the place where the wrapper stands, in the end the context's.
    static var decodingOptions: DecodingOptions? { get }
}

extension Wrapper {
    /// Those of the place where the wrapper stands.
    public static var decodingOptions: DecodingOptions? { nil }

    /// Those that the wrapper has, in whichever type it declares them.
    static var statedOptions: DecodingOptions? { ownDecodingOptions ?? decodingOptions }

    /// Reads the wrapper; its stored parts are in the store by then.
    public static func `import`(from value: JSONValue, in context: Context) throws -> Self {
        let outer = context.decodingOptions
        defer { context.decodingOptions = outer }
        if let options = statedOptions { context.decodingOptions = options }
        context.imports.readings?.noteDecoding(of: Self.self)
        return try context.importingPart { try value.decode(Self.self, in: context) }
    }
}
