/// A type of what identifies the objects of an entity: its ``Entity/ObjectID``.
///
/// `@Entity` says which it is: the type of the one attribute that identifies them, such as `Int` or
/// `String`; a ``CompositeIdentity`` with a property for each attribute where there are several; the
/// parent's of a sub-entity that adds nothing to it; `Never` where nothing identifies them. All else has
/// ``IdentityValues``.
public protocol ObjectIdentity: Sendable {
    /// Takes the values as the store keeps them, in the order of the entity's identity; nil where they
    /// are none of this type.
    init?(identityValues: [SQLValue])

    /// The values as the store keeps them, in the order of the entity's identity.
    var identityValues: [SQLValue] { get }
}

extension AttributeValue {
    /// Takes the value of an identity that is one attribute.
    public init?(identityValues: [SQLValue]) {
        guard identityValues.count == 1 else { return nil }
        self.init(sqlValue: identityValues[0])
    }

    /// The one value.
    public var identityValues: [SQLValue] { [keptValue] }
}

extension Optional: ObjectIdentity where Wrapped: AttributeValue {}
extension Array: ObjectIdentity where Element: AttributeValue & Codable {}
extension Dictionary: ObjectIdentity where Key == String, Value: AttributeValue & Codable {}

extension Never: ObjectIdentity {
    /// Takes nothing.
    public init?(identityValues: [SQLValue]) { nil }

    /// No values.
    public var identityValues: [SQLValue] { switch self {} }
}

/// An identity of several attributes: a struct that `@Entity` writes, with a property for each.
///
///     let card = try store.find(Card.self, id: .init(suit: "hearts", rank: 1))
public protocol CompositeIdentity: ObjectIdentity, Hashable {}

extension CompositeIdentity {
    /// Whether both have the same values as the store compares them.
    public static func == (left: Self, right: Self) -> Bool {
        left.identityValues == right.identityValues
    }

    /// Hashes the values as the store keeps them.
    public func hash(into hasher: inout Hasher) { hasher.combine(identityValues) }
}

/// An identity whose type is not known: the values, as the store keeps them.
///
/// It is the ``Entity/ObjectID`` of entities that are written by hand and do not say another.
public struct IdentityValues: ObjectIdentity, Hashable {
    /// The values, in the order of the entity's identity.
    public let identityValues: [SQLValue]

    /// Takes the values as the store keeps them.
    public init(identityValues: [SQLValue]) { self.identityValues = identityValues }

    /// An identity of these values, in the order of the entity's identity.
    public init(_ values: any AttributeValue...) { identityValues = values.map(\.keptValue) }

    /// The value of an identity that is one attribute, nil where it is several or of another type.
    public func value<Value: AttributeValue>(as type: Value.Type = Value.self) -> Value? {
        Value(identityValues: identityValues)
    }
}

extension IdentityValues: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// The identity that is one whole number.
    public init(integerLiteral value: Int64) { identityValues = [.integer(value)] }

    /// The identity that is one text.
    public init(stringLiteral value: String) { identityValues = [.text(value)] }
}

extension IdentityValues: CustomStringConvertible {
    /// The values for people to read, with commas between them.
    public var description: String { identityValues.map(\.plainText).joined(separator: ", ") }
}

extension SQLValue {
    /// The value for people to read.
    fileprivate var plainText: String {
        switch self {
        case .null: "nil"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let value): value
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
