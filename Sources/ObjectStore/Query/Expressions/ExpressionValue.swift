import Foundation

/// A value in the text of an expression.
struct ExpressionValue {
    private let token: ExpressionToken
    private let isNegative: Bool

    init(_ token: ExpressionToken, isNegative: Bool) {
        self.token = token
        self.isNegative = isNegative
    }

    /// The value as a column of the type holds it, nil where it is none of this type.
    func sqlValue(of type: AttributeType) -> SQLValue? {
        switch type {
        case .integer: number.flatMap { Int64($0) }.map(SQLValue.integer) ?? real
        case .double: real
        case .decimal: decimal
        case .boolean: boolean
        case .string, .url: string.map(SQLValue.text)
        case .uuid: string.flatMap(UUID.init).map { .text($0.uuidString) }
        case .date: date
        case .data, .json: nil
        }
    }

    /// Returns the form of a value of the type in words, for an error.
    static func expectation(of type: AttributeType) -> String {
        switch type {
        case .integer, .double: "a number"
        case .decimal: "a decimal number"
        case .boolean: "true or false"
        case .string, .url: "a string in single quotes"
        case .uuid: "a UUID in single quotes"
        case .date: "a date as in ISO 8601 in single quotes"
        case .data, .json: "is null or is not null"
        }
    }

    private var number: String? {
        token.kind == .number ? (isNegative ? "-" : "") + token.text : nil
    }

    private var string: String? { token.kind == .string && !isNegative ? token.text : nil }

    private var real: SQLValue? { number.flatMap { Double($0) }.map(SQLValue.real) }

    private var decimal: SQLValue? {
        (number ?? string).flatMap { Decimal(spelling: $0) }.map { .text($0.description) }
    }

    private var boolean: SQLValue? {
        if isNegative { return nil }
        if token.isWord("true") || number == "1" { return .integer(1) }
        if token.isWord("false") || number == "0" { return .integer(0) }
        return nil
    }

    private var date: SQLValue? {
        guard var text = string else { return nil }
        return text.withUTF8 { ISO8601.date($0) }.map(SQLValue.real)
    }
}
