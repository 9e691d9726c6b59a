/// The name of a conversion that an entity's JSON objects go through before all else.
///
///     nonisolated static let flat = ObjectTransformer("flat") { object in
///         var result = JSONObject(object)
///         result.rename("legacy_id", to: "id")
///         return result
///     }
///
/// It applies to objects that are mapped as the entity itself, also nested ones, not to those of its
/// sub-entities' relationships. References by a bare identity pass as they are.
public struct ObjectTransformer: Sendable {
    /// A closure that rewrites an object; nil leaves it as it is.
    public typealias Rewriting = @Sendable (JSONValue) throws -> JSONObject?

    /// The name, as model files have it.
    public let name: String
    let rewrite: Rewriting?

    /// Makes a transformer; the closure gives nil for an object that is to stay as it is.
    public init(_ name: String, _ rewrite: @escaping Rewriting) {
        self.name = name
        self.rewrite = rewrite
    }

    /// Names a transformer that is registered where the store is opened.
    public init(named name: String) {
        self.name = name
        rewrite = nil
    }
}

extension ObjectTransformer: Hashable {
    /// Compares the names.
    public static func == (left: ObjectTransformer, right: ObjectTransformer) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
