/// A type whose columns hold text: `String`, what an app lets conform, and their optionals.
public protocol TextValue: AttributeValue {
    /// The type of whole numbers worked out from the text: `Int`, or `Int?` for what may be empty.
    associatedtype WholeNumber: AttributeValue = Int
}

extension String: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {
    /// A whole number, or none.
    public typealias WholeNumber = Int?
}

extension Column where Value: TextValue {
    /// True where the text holds this one.
    ///
    /// Capital and small letters differ unless told otherwise; then those of all languages match,
    /// by Unicode's mapping to small letters. Accents differ always.
    public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
        let (whole, part) = folded(text, ignoringCase)
        return Condition(
            expression: .infix(
                .function("instr", [whole, .value(.text(part))]), ">", .value(.integer(0))))
    }

    /// True where the text begins with this one; letters match as in `contains`.
    public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
        let (whole, part) = folded(text, ignoringCase)
        return Condition(
            expression: .function(TextFunction.hasPrefix, [whole, .value(.text(part))]))
    }

    /// True where the text ends with this one; letters match as in `contains`.
    public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> Condition {
        let (whole, part) = folded(text, ignoringCase)
        return Condition(
            expression: .function(TextFunction.hasSuffix, [whole, .value(.text(part))]))
    }

    /// True where the text matches a pattern: `%` stands for any text, `_` for one character, and
    /// the letters of ASCII match in either case.
    ///
    /// Behind a backslash `%`, `_` and the backslash stand for themselves.
    public func like(_ pattern: String) -> Condition {
        Condition(
            expression: .function(
                TextFunction.matches, [expression, .value(.text(pattern))]))
    }

    /// True where the text is this one but for capital and small letters, as in `contains`.
    public func isEqual(_ text: String, ignoringCase: Bool) -> Condition {
        let (whole, other) = folded(text, ignoringCase)
        return Condition(expression: .infix(whole, "=", .value(.text(other))))
    }

    /// The text in small letters, by Unicode's mapping.
    public func lowercased() -> Column {
        Column(expression: .function(TextFunction.lowercased, [expression]))
    }

    /// The text in capital letters, by Unicode's mapping.
    public func uppercased() -> Column {
        Column(expression: .function(TextFunction.uppercased, [expression]))
    }

    /// The number of Unicode scalars in the text.
    public var length: Column<Value.WholeNumber> {
        Column<Value.WholeNumber>(expression: .function(TextFunction.length, [expression]))
    }

    private func folded(
        _ text: String, _ ignoringCase: Bool
    ) -> (whole: QueryExpression, part: String) {
        ignoringCase
            ? (.function(TextFunction.lowercased, [expression]), text.lowercased())
            : (expression, text)
    }
}
