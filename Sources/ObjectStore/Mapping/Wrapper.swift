/// A response of which a part is stored and the rest is only handed over.
///
/// Properties marked `@Stored` are written into the store; all others are read from the JSON as
/// `Decodable` reads them.
///
///     struct LogIn: Wrapper {
///         var token: String
///         @Stored var user: User
///     }
public protocol Wrapper: Insertable, Decodable {}

extension Wrapper {
    /// Reads the wrapper; its stored parts are in the store by then.
    public static func insert(from value: JSONValue, in context: Context) throws -> Self {
        try value.decode(Self.self, in: context)
    }
}
