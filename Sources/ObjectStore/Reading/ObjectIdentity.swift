/// The identity of an object: the values of what identifies it, as the store keeps them.
///
///     if issue.user.id == "ann" { … }
///     let login = issue.user.id?.value(as: String.self)
public struct ObjectIdentity: Hashable, Sendable {
    /// The values, in the order of the entity's identity.
    public let values: [SQLValue]

    init(_ values: [SQLValue]) { self.values = values }

    /// An identity of these values, in the order of the entity's identity.
    public init(_ values: any AttributeValue...) { self.values = values.map(\.sqlValue) }

    /// The value of an identity that is one attribute, nil where it is several or of another type.
    public func value<Value: AttributeValue>(as type: Value.Type = Value.self) -> Value? {
        values.count == 1 ? Value(sqlValue: values[0]) : nil
    }
}

extension ObjectIdentity: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// The identity that is one whole number.
    public init(integerLiteral value: Int64) { values = [.integer(value)] }

    /// The identity that is one text.
    public init(stringLiteral value: String) { values = [.text(value)] }
}

extension ObjectIdentity: CustomStringConvertible {
    /// The values for people to read, with commas between them.
    public var description: String { values.map(\.plainText).joined(separator: ", ") }
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
