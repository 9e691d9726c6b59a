/// The value that an attribute has when an object is inserted without it.
public enum DefaultValue: Hashable, Sendable {
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A truth value.
    case boolean(Bool)
    /// A string.
    case string(String)
}

extension DefaultValue: Codable {
    /// Reads a JSON number, boolean or string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Writes a JSON number, boolean or string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        }
    }
}

extension DefaultValue {
    /// The value as it stands in a column.
    var sqlValue: SQLValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .real(value)
        case .boolean(let value): .integer(value ? 1 : 0)
        case .string(let value): .text(value)
        }
    }

    /// Whether an attribute of this type can have the value.
    func fits(_ type: AttributeType) -> Bool {
        switch (self, type) {
        case (.integer, .integer), (.integer, .double), (.double, .double), (.boolean, .boolean),
            (.string, .string), (.string, .url), (.string, .decimal):
            true
        default:
            false
        }
    }
}
