import Foundation

extension ValueCoder {
    /// Binds the value of a JSON node; false where the node does not hold one.
    ///
    /// Plain text is bound where it stands in the document, which must outlive the step.
    @inline(__always)
    func bind(
        _ node: Int, of tape: JSONTape, to statement: Statement, at index: Int32
    ) throws(StoreError) -> Bool {
        switch self {
        case .integer:
            guard let value = tape.integer(node) else { return false }
            statement.bind(value, at: index)
        case .double:
            guard let value = tape.double(node) else { return false }
            statement.bind(value, at: index)
        case .boolean:
            switch tape.kind(node) {
            case .true: statement.bind(1 as Int64, at: index)
            case .false: statement.bind(0 as Int64, at: index)
            default: return false
            }
        case .string:
            switch tape.kind(node) {
            case .plainString:
                try statement.bind(borrowed: tape.text(node), at: index)
            case .escapedString:
                try statement.bind(.text(tape.string(node)), at: index)
            default: return false
            }
        case .dateISO8601:
            let date =
                tape.kind(node) == .plainString
                ? ISO8601.date(tape.text(node)) : Self.date(node, in: tape)
            guard let date else { return false }
            statement.bind(date, at: index)
        case .integerInString, .doubleInString, .single, .singleInString, .looseBoolean,
            .looseString, .decimal, .dateRFC1123, .dateUnix, .url, .uuid, .base64, .json, .special:
            guard let value = value(of: node, in: tape) else { return false }
            try statement.bind(value, at: index)
        }
        return true
    }

    /// The value of a JSON node as its column holds it, nil where the node does not hold one.
    func value(of node: Int, in tape: JSONTape) -> SQLValue? {
        switch self {
        case .integer:
            return tape.integer(node).map(SQLValue.integer)
        case .integerInString:
            return Self.number(node, in: tape).flatMap { Int64($0) }.map(SQLValue.integer)
                ?? tape.integer(node).map(SQLValue.integer)
        case .double:
            return tape.double(node).map(SQLValue.real)
        case .doubleInString:
            return Self.double(node, in: tape).map(SQLValue.real)
        case .single:
            return tape.float(node).map { .real(Double($0)) }
        case .singleInString:
            return Self.number(node, in: tape).flatMap { Float($0) }
                .flatMap { $0.isFinite ? .real(Double($0)) : nil }
        case .boolean:
            return Self.boolean(node, in: tape)
        case .looseBoolean:
            return Self.boolean(node, in: tape) ?? Self.looseBoolean(node, in: tape)
        case .string:
            return Self.text(node, in: tape).map(SQLValue.text)
        case .looseString:
            return Self.looseText(node, in: tape).map(SQLValue.text)
        case .json:
            return .text(CanonicalJSON.text(of: node, in: tape))
        case .decimal:
            return Self.number(node, in: tape)
                .flatMap { Decimal(spellingInString: $0) }
                .map(\.sqlValue)
        case .url:
            return Self.text(node, in: tape).flatMap { URL(string: $0) }.map(\.sqlValue)
        case .uuid:
            return Self.text(node, in: tape).flatMap { UUID(uuidString: $0) }.map(\.sqlValue)
        case .dateISO8601:
            return Self.date(node, in: tape).map(SQLValue.real)
        case .dateRFC1123:
            return Self.text(node, in: tape).flatMap { RFC1123.date($0) }.map(SQLValue.real)
        case .dateUnix(let perSecond):
            return Self.double(node, in: tape).map {
                .real($0 / perSecond - Date.timeIntervalBetween1970AndReferenceDate)
            }
        case .base64:
            return Self.text(node, in: tape).flatMap { Base64.data($0) }
                .map { .blob([UInt8]($0)) }
        case .special:
            return nil
        }
    }

    private static func date(_ node: Int, in tape: JSONTape) -> Double? {
        guard var text = text(node, in: tape) else { return nil }
        return text.withUTF8 { ISO8601.date($0) }
    }

    /// The text of a string, a number or a boolean.
    private static func looseText(_ node: Int, in tape: JSONTape) -> String? {
        if tape.isContainer(node) || tape.kind(node) == .null { return nil }
        return text(node, in: tape) ?? String(decoding: tape.text(node), as: UTF8.self)
    }

    private static func boolean(_ node: Int, in tape: JSONTape) -> SQLValue? {
        switch tape.kind(node) {
        case .true: .integer(1)
        case .false: .integer(0)
        default: nil
        }
    }

    private static func looseBoolean(_ node: Int, in tape: JSONTape) -> SQLValue? {
        switch text(node, in: tape) ?? number(node, in: tape) {
        case "true", "1": .integer(1)
        case "false", "0": .integer(0)
        default: nil
        }
    }

    private static func text(_ node: Int, in tape: JSONTape) -> String? {
        switch tape.kind(node) {
        case .plainString, .escapedString: tape.string(node)
        default: nil
        }
    }

    private static func double(_ node: Int, in tape: JSONTape) -> Double? {
        guard let value = number(node, in: tape).flatMap({ Double($0) }), value.isFinite else {
            return nil
        }
        return value
    }

    /// The spelling of a number, also of one in a string.
    private static func number(_ node: Int, in tape: JSONTape) -> String? {
        switch tape.kind(node) {
        case .integer, .decimal:
            return String(decoding: tape.text(node), as: UTF8.self)
        case .plainString, .escapedString:
            let text = tape.string(node)
            return isNumber(text.utf8) ? text : nil
        default:
            return nil
        }
    }

    /// Whether text is a number as JSON spells it, where a plus sign and leading zeros may stand.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        var rest = text[...]
        func skip(_ characters: String.UTF8View) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func skipDigits() -> Bool {
            let count = rest.count
            rest = rest.drop { $0 &- UInt8(ascii: "0") < 10 }
            return rest.count < count
        }
        _ = skip("+-".utf8)
        guard skipDigits(), !skip(".".utf8) || skipDigits() else { return false }
        if skip("eE".utf8) {
            _ = skip("+-".utf8)
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }
}
