/// The options and the destination that all decoders of one value share.
final class JSONDecoding {
    let options: DecodingOptions
    /// The object that takes the parts which do not stay with the value, nil where there are none;
    /// those who read such a part know its type.
    let destination: (any PartDestination)?
    /// Whether keys stand in the JSON as they are asked for.
    let keysAreVerbatim: Bool

    init(options: DecodingOptions, destination: (any PartDestination)? = nil) {
        self.options = options
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

/// An object that takes the parts of what is decoded which do not stay with the value.
protocol PartDestination: AnyObject {
    /// The number of parts that have been handed over.
    var partCount: Int { get }

    /// Takes note that a type can't be read, after a number of parts had been handed over.
    func noteFailure(_ error: any Error, of type: Any.Type, since count: Int)
}
