/// A mistake in the text of an expression: where it stands, and what should stand there.
public struct ExpressionError: Error, Hashable, Sendable {
    /// The column of the mistake, counted in characters from 1; behind the last at the end.
    public let column: Int
    /// The description of what could stand there, such as `a number`.
    public let expected: String
    /// The text that stands there, or `the end`.
    public let found: String

    init(column: Int, expected: String, found: String) {
        self.column = column
        self.expected = expected
        self.found = found
    }
}

extension ExpressionError: CustomStringConvertible {
    /// The mistake in one line, such as `column 9: expected a number, found 'ten'`.
    public var description: String { "column \(column): expected \(expected), found \(found)" }
}
