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
