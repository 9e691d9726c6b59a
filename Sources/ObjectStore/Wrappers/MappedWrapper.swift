/// A wrapper that takes its JSON apart itself, key by key.
///
/// It says all in one place: defaults, key paths, what is stored, what is converted.
///
///     struct LogIn: MappedWrapper {
///         var token = ""
///         var user: User?
///         var issues: Many<Issue>?
///
///         mutating func map(_ map: Map) throws {
///             try token <- map["token"]
///             try user <- map["meta.user"]     // an entity: it is stored
///             try issues <- map["issues"]
///         }
///     }
///
/// Properties are written in the order of the lines. Classes can be such wrappers too.
public protocol MappedWrapper: Wrapper {
    /// A wrapper before anything is read: what the JSON lacks keeps the values it has here.
    init()

    /// Reads the properties with `<-`.
    ///
    /// The objects of a response belong together: where some of them can't be written, nothing of the
    /// response is, and inserting it throws their error, even if it is caught here. The error of a value
    /// that is not stored may be caught.
    ///
    /// - Throws: What reading throws; nothing of the response is stored then.
    mutating func map(_ map: Map) throws
}

extension MappedWrapper {
    /// Reads the wrapper from a response that is being stored.
    ///
    /// - Throws: `DecodingError` where the decoder is another's, or what `map(_:)` throws.
    public init(from decoder: any Decoder) throws {
        self.init()
        try map(Map(decoder))
    }
}
