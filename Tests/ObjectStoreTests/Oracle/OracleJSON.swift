import Foundation

/// A JSON value as a tree, which knows how it is spelled and nothing else.
indirect enum OracleJSON: Hashable, Sendable {
    /// A key and what stands at it.
    struct Member: Hashable, Sendable {
        var key: String
        var value: OracleJSON
    }

    case null
    case boolean(Bool)
    /// A number as it is spelled.
    case number(String)
    /// A string, with its first character as a `\u` escape where that is asked for.
    case string(String, isEscaped: Bool = false)
    case array([OracleJSON])
    case object([Member])

    /// What stands at a key, nil where nothing does.
    subscript(key: String) -> OracleJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// What stands at a dotted path; a step that is missing or null counts as nothing.
    func value(at path: String) throws(OracleRefusal) -> OracleJSON? {
        var place = self
        for (index, step) in path.split(separator: ".").enumerated() {
            if index > 0, place == .null { return nil }
            if case .array = place { throw OracleRefusal("a list on the way to \(path)") }
            guard let next = place[String(step)] else { return nil }
            place = next
        }
        return place
    }

    /// The value as text.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let spelling): spelling
        case .string(let value, let isEscaped): Self.text(value, isEscaped)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(Self.text($0.key, false)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    private static func text(_ value: String, _ isEscaped: Bool) -> String {
        var text = "\""
        for (index, unit) in value.utf16.enumerated() where isEscaped && index == 0 {
            text += String(format: "\\u%04x", unit)
        }
        let rest = isEscaped ? String(decoding: value.utf16.dropFirst(), as: UTF16.self) : value
        for scalar in rest.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

/// What the rules say can't be done: nothing of it may be left.
struct OracleRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
