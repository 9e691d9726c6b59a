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

extension One {
    /// The identity of the object, whether it has arrived or not.
    ///
    /// One whole number is at hand without reading. Any other identity is read from the store, and nil
    /// where the object has gone, or the store can't be read. Nil is also what nothing identifies.
    public var id: ObjectIdentity? {
        switch content {
        case .row(let row, let store):
            guard let plan = try? store.plan.entity(Destination.entityName) else { return nil }
            if case .rowid = plan.identity { return ObjectIdentity([.integer(row)]) }
            let values = try? store.reading { try $0.reader.identity(of: row, as: plan) }
            return values.map(ObjectIdentity.init)
        case .identity(let values): return ObjectIdentity(values)
        case .object(let made): return made.identity.map(ObjectIdentity.init)
        }
    }

    /// Whether the object has arrived: false where it is known by a reference only, or has gone.
    ///
    /// - Throws: `StoreError` where the store can't be read, or the object was named by its identity in
    ///   code and so is of no store yet.
    public var isComplete: Bool {
        get throws {
            switch content {
            case .row(let row, let store):
                let plan = try store.plan.entity(Destination.entityName)
                return try store.reading { try $0.reader.isComplete(row, of: plan) } ?? false
            case .object: return true
            case .identity: throw Self.unsaved
            }
        }
    }
}

extension One: Importable {
    /// Writes an object, or finds or makes what a bare identity refers to, which need not have arrived.
    public static func `import`(from value: JSONValue, in context: Context) throws -> One {
        One(
            row: try context.map(value, as: Destination.entityName), store: context.store)
    }
}
