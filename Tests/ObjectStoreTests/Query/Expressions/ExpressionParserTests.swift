import Foundation
import Testing

@testable import LarderObjectStore

/// Mistakes in expressions: where they are said to stand, and that nothing crashes.
struct ExpressionParserTests {
    private let store: Store

    init() throws { store = try Comics.store() }

    private func error(_ text: String) -> ExpressionError? {
        #expect(throws: ExpressionError.self, "\(text)") { try Hero.all.where(text, in: store) }
    }

    @Test func `says what could stand there`() throws {
        #expect(
            error("titel = 1")?.description == """
                column 1: expected an attribute or a relationship of Hero (id, isActive, mentor, name, \
                powers, publisher, realName, strength), found titel
                """)
        #expect(error("id = 'x'")?.description == "column 6: expected a number, found 'x'")
        #expect(error("publisher = 'x'")?.expected == "a number")
        #expect(error("name = 'abc")?.expected == "the closing '")
        let long = String(repeating: "x", count: 1000)
        #expect(error("id = \(long)")?.found == String(repeating: "x", count: 40) + "…")
    }

    @Test(arguments: [
        ("price = 'x'", "a decimal number"), ("made = 'soon'", "a date as in ISO 8601"),
        ("made = 5", "a date as in ISO 8601"), ("weight = true", "a number"),
        ("note = 1", "a string in single quotes"),
    ])
    func `says what a value of the attribute's type looks like`(
        _ text: String, _ expected: String
    ) throws {
        let shop = try Shop.store()
        let error = #expect(throws: ExpressionError.self) { try Product.all.where(text, in: shop) }
        #expect(error?.expected.hasPrefix(expected) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
        (AttributeType.uuid, "a UUID in single quotes"), (.data, "is null or is not null"),
        (.json, "is null or is not null"), (.url, "a string in single quotes"),
        (.boolean, "true or false"),
    ])
    func `of attributes of other types, too`(_ type: AttributeType, _ expected: String) throws {
        let fixture = try StoreFixture(
            .numbered("Thing", AttributeDescription("a", type, key: "a")))
        let error = #expect(throws: ExpressionError.self) {
            try fixture.store.count(DynamicQuery("Thing").where("a = 5"))
        }
        #expect(error?.expected == expected)
    }

    @Test func `an entity that the store does not have`() {
        #expect(throws: StoreError.self) { try Product.all.where("id = 1", in: store) }
    }

    @Test(arguments: ["(", "not ", "((not ", "not("])
    func `nesting has a limit instead of an overflow`(_ opening: String) throws {
        let text = String(repeating: opening, count: 100_000) + "id = 1"
        let error = try #require(self.error(text))
        #expect(error.expected.contains("at most 20 brackets"))
        #expect(error.column <= opening.count * 21 + 1)
    }

    @Test func `chains have none`() throws {
        let chain = (1...5000).map { "id = \($0)" }.joined(separator: " or ")
        #expect(try store.count(try Hero.all.where(chain, in: store)) == 0)
        let deep = String(repeating: "(", count: 19) + "id = 1" + String(repeating: ")", count: 19)
        #expect(try store.count(try Hero.all.where(deep, in: store)) == 0)
        let negated = (0..<9).reduce("id = 1") { text, _ in "not (id = 2 and \(text))" }
        #expect(try store.count(try Hero.all.where(negated, in: store)) == 0)
    }

    @Test func `random conditions that are well formed find what the typed ones find`() throws {
        try store.import(
            Many<Hero>.self,
            from: Data(
                ("["
                    + (0..<20).map { #"{"id": \#($0), "name": "\#($0 % 4)"}"# }
                    .joined(separator: ",") + "]").utf8))
        var random = SplitMix64(seed: 12)
        for _ in 0..<200 {
            let (text, condition) = Self.condition(4, &random)
            let found = try store.fetch(try Hero.all.where(text, in: store)).map(\.id)
            let expected = try store.fetch(Hero.where(condition)).map(\.id)
            #expect(found == expected, "\(text)")
        }
    }

    private static func condition(
        _ depth: Int, _ random: inout SplitMix64
    ) -> (String, (Hero.Columns) -> Condition) {
        let number = Int.random(in: 0..<20, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &random) {
        case 0: return ("id < \(number)", { $0.id < number })
        case 1: return ("name = '\(number % 4)'", { $0.name == "\(number % 4)" })
        case 2: return ("id in (\(number), 3)", { $0.id.isIn([number, 3]) })
        case 3:
            let (text, inner) = condition(depth - 1, &random)
            return ("not (\(text))", { !inner($0) })
        case 4:
            let (left, first) = condition(depth - 1, &random)
            let (right, second) = condition(depth - 1, &random)
            return ("(\(left)) or (\(right))", { first($0) || second($0) })
        default:
            let (left, first) = condition(depth - 1, &random)
            let (right, second) = condition(depth - 1, &random)
            return ("(\(left)) and (\(right))", { first($0) && second($0) })
        }
    }
}
