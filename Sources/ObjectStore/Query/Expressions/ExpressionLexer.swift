/// Takes the text of an expression apart.
struct ExpressionLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The next token; at the end, `end` however often it is asked for.
    mutating func next() throws(ExpressionError) -> ExpressionToken {
        while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
        let start = position
        guard let scalar = current else { return token(.end, "", from: start) }
        switch scalar {
        case "'":
            let text = try quoted(by: "'")
            return token(.string, text, from: start)
        case "\"":
            let text = try quoted(by: "\"")
            return token(.name, text, from: start)
        case "0"..."9":
            skipNumber()
            return token(.number, text(start..<position), from: start)
        case "=", "(", ")", ",", ".", "-":
            position += 1
            return token(.sign, String(scalar), from: start)
        case "<", ">", "!":
            position += 1
            if current == "=" {
                position += 1
            } else if scalar == "!" {
                throw mistake(at: start..<position, expected: "!=")
            }
            return token(.sign, text(start..<position), from: start)
        case _ where Self.isNamePart(scalar):
            while let next = current, Self.isNamePart(next) { position += 1 }
            return token(.word, text(start..<position), from: start)
        default:
            throw mistake(at: start..<start + 1, expected: "a name, a value or a sign")
        }
    }

    /// The error of a mistake in a part of the text.
    func mistake(at range: Range<Int>, expected: String) -> ExpressionError {
        let found =
            text(range.lowerBound..<min(range.upperBound, range.lowerBound + 40))
            + (range.count > 40 ? "…" : "")
        return ExpressionError(
            column: text(0..<range.lowerBound).count + 1, expected: expected,
            found: range.isEmpty ? "the end" : found)
    }

    private var current: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private func token(
        _ kind: ExpressionToken.Kind, _ text: String, from start: Int
    ) -> ExpressionToken {
        ExpressionToken(kind: kind, text: text, range: start..<position)
    }

    private func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    /// Reads the text between two quotes, which are doubled inside.
    private mutating func quoted(by quote: Unicode.Scalar) throws(ExpressionError) -> String {
        var view = String.UnicodeScalarView()
        position += 1
        while let scalar = current {
            position += 1
            if scalar != quote {
                view.append(scalar)
            } else if current == quote {
                view.append(scalar)
                position += 1
            } else {
                return String(view)
            }
        }
        throw mistake(at: position..<position, expected: "the closing \(quote)")
    }

    private mutating func skipNumber() {
        skipDigits()
        if current == ".", position + 1 < scalars.count, Self.isDigit(scalars[position + 1]) {
            position += 1
            skipDigits()
        }
        guard current == "e" || current == "E" else { return }
        var end = position + 1
        if end < scalars.count, scalars[end] == "+" || scalars[end] == "-" { end += 1 }
        guard end < scalars.count, Self.isDigit(scalars[end]) else { return }
        position = end
        skipDigits()
    }

    private mutating func skipDigits() {
        while let scalar = current, Self.isDigit(scalar) { position += 1 }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || isDigit(scalar) || scalar.properties.isAlphabetic
            || scalar.properties.generalCategory == .nonspacingMark
    }
}

/// A word, a value or a sign in the text of an expression.
struct ExpressionToken: Hashable {
    enum Kind: Hashable {
        /// A name, or a word of the language such as `and`.
        case word
        /// A name in double quotes, which is never a word of the language.
        case name
        case string
        case number
        /// `=`, `!=`, `<`, `<=`, `>`, `>=`, `(`, `)`, `,`, `.` or `-`.
        case sign
        case end
    }

    let kind: Kind
    /// The text of the token, without quotes.
    let text: String
    /// The place of the token in the expression, in Unicode scalars.
    let range: Range<Int>

    /// Whether it is this word of the language, in either case.
    func isWord(_ word: String) -> Bool { kind == .word && text.lowercased() == word }

    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}

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
