/// The options and the destination that all decoders of one value share.
final class JSONDecoding {
    let options: DecodingOptions
    /// The object that takes the parts which do not stay with the value, nil where there are none;
    /// those who read such a part know its type.
    let destination: (any PartDestination)?
    /// The note of what is read, where somebody asks for that.
    let readings: JSONReadings?
    /// Whether keys stand in the JSON as they are asked for.
    let keysAreVerbatim: Bool

    init(options: DecodingOptions, destination: (any PartDestination)? = nil) {
        self.options = options
        self.destination = destination
        readings = destination?.readings
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

    /// The note of what is read of the document beside the parts, where somebody asks for that.
    var readings: JSONReadings? { get }

    /// Takes note that a type can't be read, after a number of parts had been handed over.
    func noteFailure(_ error: any Error, of type: Any.Type, since count: Int)
}

/// A coding key for the places that have none of their own: an array's elements, a superclass.
struct JSONCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// The key of a superclass unless another one is asked for.
    static let `super` = JSONCodingKey(stringValue: "super")
}

/// A dictionary whose keys are data, so that no strategy converts them.
protocol StringKeyedDictionary {
    /// Reads the members of an object.
    static func decode(from decoder: JSONValueDecoder) throws -> Self
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    static func decode(from decoder: JSONValueDecoder) throws -> [String: Value] {
        guard decoder.value.kind == .object else { throw decoder.mismatch(Self.self) }
        let members = JSONMembers(of: decoder.value)
        var dictionary: [String: Value] = [:]
        for key in members.keys {
            guard let value = members[key] else { continue }
            let decoder = decoder.decoder(of: value, at: JSONCodingKey(stringValue: key))
            dictionary[key] = try decoder.decode(Value.self)
        }
        return dictionary
    }
}
