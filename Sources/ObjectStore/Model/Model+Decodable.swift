import Foundation

extension Model: Decodable {
    /// Reads a model in the file format.
    ///
    /// - Throws: `ModelError` with all that is wrong with it, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            try self.init(decoder.value, name: "Model")
        } else {
            try self.init(json: JSONEncoder().encode(Tree(from: decoder)))
        }
    }

    /// JSON on its way from another decoder to one that can report all problems at once.
    private enum Tree: Codable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case double(Double)
        case string(String)
        case array([Tree])
        case object([String: Tree])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Tree].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Tree].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let value): try container.encode(value)
            case .object(let value): try container.encode(value)
            }
        }
    }
}
