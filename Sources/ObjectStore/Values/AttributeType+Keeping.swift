import Foundation

extension AttributeType {
    /// Whether a column of this type keeps a value so that it comes back; an empty one it does.
    func keeps(_ value: SQLValue) -> Bool {
        if value == .null { return true }
        return switch self {
        case .integer, .boolean: if case .integer = value { true } else { false }
        // SQLite would keep what is not a number as no value.
        case .double: if case .real(let number) = value { !number.isNaN } else { false }
        case .date: if case .real(let seconds) = value { seconds.isFinite } else { false }
        case .string, .json: if case .text = value { true } else { false }
        case .url: if case .text(let text) = value { URL(string: text) != nil } else { false }
        case .uuid: if case .text(let text) = value { UUID(uuidString: text) != nil } else { false }
        case .decimal:
            if case .text(let text) = value { Decimal(spelling: text) != nil } else { false }
        case .data: if case .blob = value { true } else { false }
        }
    }

    /// The type in the words of an error.
    var plainName: String {
        switch self {
        case .integer: "a whole number of at most 64 bits"
        case .double: "a number"
        case .decimal: "a decimal number"
        case .boolean: "true or false"
        case .string: "text"
        case .date: "a point in time"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data: "bytes"
        case .json: "JSON"
        }
    }
}
