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
