/// A type whose columns hold text: `String` and `String?`.
public protocol TextValue: AttributeValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension Column where Value: TextValue {
    /// True where the text holds this one; capital and small letters differ.
    public func contains(_ text: String) -> Condition {
        Condition(
            expression: .infix(
                .function("instr", [expression, .value(.text(text))]), ">", .value(.integer(0))))
    }

    /// True where the text begins with this one; capital and small letters differ.
    public func hasPrefix(_ text: String) -> Condition {
        let start = QueryExpression.function(
            "substr", [expression, .value(.integer(1)), .value(.integer(Self.length(text)))])
        return Condition(expression: .infix(start, "=", .value(.text(text))))
    }

    /// True where the text ends with this one; capital and small letters differ.
    public func hasSuffix(_ text: String) -> Condition {
        // A negative start counts from the end; 0 characters would be the whole text.
        guard !text.isEmpty else { return hasPrefix("") }
        let end = QueryExpression.function(
            "substr", [expression, .value(.integer(-Self.length(text)))])
        return Condition(expression: .infix(end, "=", .value(.text(text))))
    }

    /// True where the text matches a pattern: `%` stands for any text, `_` for one character, and
    /// the letters of ASCII match in either case.
    ///
    /// Behind a backslash `%`, `_` and the backslash stand for themselves.
    public func like(_ pattern: String) -> Condition {
        Condition(
            expression: .function(
                "like", [.value(.text(pattern)), expression, .value(.text("\\"))]))
    }

    /// SQLite counts Unicode scalars.
    private static func length(_ text: String) -> Int64 { Int64(text.unicodeScalars.count) }
}
