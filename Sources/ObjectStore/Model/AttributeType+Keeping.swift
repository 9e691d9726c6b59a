import Foundation

extension AttributeType {
    /// Whether a column of this type keeps a value so that it comes back; an empty one it does.
    func keeps(_ value: SQLValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.integer, .integer), (.boolean, .integer), (.data, .blob): true
        // SQLite would keep what is not a number as no value.
        case (.double, .real(let number)): !number.isNaN
        case (.date, .real(let seconds)): seconds.isFinite
        case (.string, .text), (.json, .text): true
        case (.url, .text(let text)): URL(string: text) != nil
        case (.uuid, .text(let text)): UUID(uuidString: text) != nil
        case (.decimal, .text(let text)): Decimal(spelling: text) != nil
        default: false
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
