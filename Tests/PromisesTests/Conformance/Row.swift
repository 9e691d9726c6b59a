import Testing

/// One line of the table: what must be seen under a rule of Promises/A+.
struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let check: @Sendable () async throws -> Void

    init(_ text: String, _ check: @escaping @Sendable () async throws -> Void) {
        self.text = text
        self.check = check
    }

    var testDescription: String { text }
}

/// Every pair of two lists.
func pairs<A, B>(_ first: [A], _ second: [B]) -> [(A, B)] {
    first.flatMap { a in second.map { (a, $0) } }
}
