/// What all decoders of one value have in common.
final class JSONDecoding {
    let options: DecodingOptions
    /// The transaction that stored parts are written in, nil where there is none.
    let context: Context?
    /// Whether keys stand in the JSON as they are asked for.
    let keysAreVerbatim: Bool

    init(options: DecodingOptions, context: Context? = nil) {
        self.options = options
        self.context = context
        keysAreVerbatim = options.keys.areVerbatim
    }

    /// What did not fit, in an error's words.
    static func reason(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription
        @unknown default:
            "\(error)"
        }
    }

    /// The function from a key of an object at a path to its name, nil where they are the same.
    func keyConversion(at path: [any CodingKey]) -> ((String) -> String)? {
        keysAreVerbatim ? nil : { [options] key in options.keys.name(of: key, at: path) }
    }
}
