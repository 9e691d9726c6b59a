/// Reads the text of a condition or of an order against a store's model.
///
///     condition  = and-chain { "or" and-chain }
///     and-chain  = term { "and" term }
///     term       = "not" term | "(" condition ")" | path test
///     test       = sign value | ["not"] "like" string | ["not"] "in" "(" value { "," value } ")"
///                | ["not"] "between" value "and" value | "is" ["not"] "null"
///     path       = name { "." name }
struct ExpressionParser {
    private let plan: StorePlan
    private let entity: EntityPlan
    private var lexer: ExpressionLexer
    private var token: ExpressionToken
    private var depth = 0

    /// The limit on brackets and `not` around each other: the stack of SQLite's own parser has a
    /// hundred places, of which each takes a few.
    private static let maximumDepth = 20
    private static let signs = ["=", "!=", "<", "<=", ">", ">="]

    init(_ text: String, of entity: EntityPlan, in plan: StorePlan) throws(ExpressionError) {
        self.plan = plan
        self.entity = entity
        lexer = ExpressionLexer(text)
        token = try lexer.next()
    }

    /// The whole text as a condition.
    mutating func condition() throws(ExpressionError) -> QueryExpression {
        let condition = try chain(.or)
        guard token.kind == .end else { throw mistake("and, or, or the end") }
        return condition
    }

    /// The whole text as a list of keys to sort by, each descending behind a minus.
    mutating func sortKeys() throws(ExpressionError) -> [SortKey] {
        var keys: [SortKey] = []
        repeat {
            let isDescending = try skip(sign: "-")
            let start = token
            let path = try path()
            guard path.toMany == nil, let type = path.valueType else {
                throw mistake("an attribute that can be sorted by", at: start)
            }
            keys.append(
                SortKey(
                    expression: path.expression.ordered(as: type),
                    isDescending: isDescending))
        } while try skip(sign: ",")
        guard token.kind == .end else { throw mistake("a comma, or the end") }
        return keys
    }

    // MARK: Chains

    private mutating func chain(
        _ junction: QueryExpression.Junction
    ) throws(ExpressionError) -> QueryExpression {
        var condition = try junction == .or ? chain(.and) : term()
        while token.isWord(junction.rawValue.lowercased()) {
            try advance()
            condition = .joined(condition, junction, try junction == .or ? chain(.and) : term())
        }
        return condition
    }

    private mutating func term() throws(ExpressionError) -> QueryExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw mistake("at most \(Self.maximumDepth) brackets around each other")
        }
        if try skip(word: "not") { return try term().negated }
        guard try skip(sign: "(") else { return try comparison() }
        let condition = try chain(.or)
        guard try skip(sign: ")") else { throw mistake("and, or, or a closing bracket") }
        return condition
    }

    // MARK: Comparisons

    private mutating func comparison() throws(ExpressionError) -> QueryExpression {
        let path = try path()
        return path.linked(try test(path))
    }

    private mutating func test(_ path: ExpressionPath) throws(ExpressionError) -> QueryExpression {
        if try skip(word: "is") {
            let isNot = try skip(word: "not")
            guard try skip(word: "null") else { throw mistake(isNot ? "null" : "null or not null") }
            return .infix(path.expression, isNot ? "IS NOT" : "IS", .value(.null))
        }
        guard let attribute = path.comparedAttribute else {
            throw mistake("is null or is not null")
        }
        let left = path.comparedExpression.ordered(as: attribute.type)
        if token.kind == .sign, Self.signs.contains(token.text) {
            let sign = token.text
            try advance()
            return .infix(left, sign == "!=" ? "IS NOT" : sign, .value(try value(of: attribute)))
        }
        let isNot = try skip(word: "not")
        let test = try test(left, attribute, isNot: isNot)
        return isNot ? test.negated : test
    }

    private mutating func test(
        _ left: QueryExpression, _ attribute: AttributeDescription, isNot: Bool
    ) throws(ExpressionError) -> QueryExpression {
        if try skip(word: "in") {
            return .infix(left, "IN", .list(try list(of: attribute)))
        }
        if try skip(word: "between") {
            let lower = try value(of: attribute)
            guard try skip(word: "and") else { throw mistake("and") }
            return .between(left, .value(lower), .value(try value(of: attribute)))
        }
        guard token.isWord("like") else {
            throw mistake(
                isNot
                    ? "like, in or between"
                    : "a comparison (=, !=, <, <=, >, >=, like, in, between, is null)")
        }
        guard attribute.type == .string || attribute.type == .url else {
            throw mistake("a comparison that \(attribute.type.rawValue) values have")
        }
        try advance()
        guard token.kind == .string else { throw mistake("a pattern in single quotes") }
        let pattern = SQLValue.text(token.text)
        try advance()
        return .function(TextFunction.matches, [left, .value(pattern)])
    }

    private mutating func list(
        of attribute: AttributeDescription
    ) throws(ExpressionError) -> [SQLValue] {
        guard try skip(sign: "(") else { throw mistake("a list in brackets") }
        var values: [SQLValue] = []
        repeat { values.append(try value(of: attribute)) } while try skip(sign: ",")
        guard try skip(sign: ")") else { throw mistake("a comma or a closing bracket") }
        return values
    }

    /// A value that the attribute can have, as its column holds it.
    private mutating func value(
        of attribute: AttributeDescription
    ) throws(ExpressionError) -> SQLValue {
        let start = token
        let isNegative = try skip(sign: "-")
        guard
            let value = ExpressionValue(token, isNegative: isNegative).sqlValue(of: attribute.type)
        else {
            throw mistake(
                ExpressionValue.expectation(of: attribute.type),
                at: isNegative && token.kind != .number ? token : start)
        }
        try advance()
        // The column of a `Float` holds none of the numbers between two of these.
        return attribute.allowedValues.nearest(to: value)
    }

    // MARK: Paths

    private mutating func path() throws(ExpressionError) -> ExpressionPath {
        var path = ExpressionPath(entity: entity)
        repeat {
            guard token.kind == .word || token.kind == .name, path.follow(token.text, in: plan)
            else { throw mistake(path.expectation) }
            try advance()
        } while try skip(sign: ".")
        guard path.isWhole else { throw mistake("a dot and \(path.expectation)") }
        return path
    }

    // MARK: Tokens

    private mutating func advance() throws(ExpressionError) { token = try lexer.next() }

    private mutating func skip(sign: String) throws(ExpressionError) -> Bool {
        guard token.isSign(sign) else { return false }
        try advance()
        return true
    }

    private mutating func skip(word: String) throws(ExpressionError) -> Bool {
        guard token.isWord(word) else { return false }
        try advance()
        return true
    }

    private func mistake(
        _ expected: String, at place: ExpressionToken? = nil
    ) -> ExpressionError {
        lexer.mistake(at: (place ?? token).range, expected: expected)
    }
}
