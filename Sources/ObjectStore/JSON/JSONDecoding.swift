/// The options and the destination that all decoders of one value share.
final class JSONDecoding {
    let options: DecodingOptions
    /// The object that takes the parts which do not stay with the value, nil where there are none;
    /// those who read such a part know its type.
    let destination: AnyObject?
    /// A receiver of the errors of types that could not be read, nil where nobody asks for them.
    let noteFailure: ((_ error: any Error, _ type: Any.Type) -> Void)?
    /// Whether keys stand in the JSON as they are asked for.
    let keysAreVerbatim: Bool

    init(
        options: DecodingOptions, destination: AnyObject? = nil,
        noteFailure: ((_ error: any Error, _ type: Any.Type) -> Void)? = nil
    ) {
        self.options = options
        self.noteFailure = noteFailure
        self.destination = destination
        keysAreVerbatim = options.keys.areVerbatim
    }

    /// Returns an error's own description of what did not fit, without the path.
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
