import Foundation
import Testing

@testable import LarderObjectStore

/// The values that the type of an attribute takes.
@Suite struct AllowedValuesTests {
    @Entity("Period") struct Period {
        enum Kind: String, AttributeValue, CaseIterable { case day, night }

        @Identity var id: Int
        var start: Int
        var end: Int
        var level: Int8?
        var kind: Kind = .day
        var marks: [Int]?
    }

    private let store: Store

    init() throws { store = try Store.inMemory(entities: Period.self) }

    @discardableResult
    private func insert(_ json: String) throws -> [Period] {
        try store.import([Period].self, from: Data(json.utf8))
    }

    @Test(
        arguments: [
            ("level", "128", "a whole number from -128 to 127"),
            ("kind", #""noon""#, "one of day, night"),
            (
                "marks", #"["x"]"#,
                "JSON that makes a value of type Array<Int> (expected Int at $[0], found string)"
            ),
            ("level", "1.5", "a whole number from -128 to 127"),
        ])
    func `values stay in the range of their type`(
        attribute: String, json: String, expected: String
    ) throws {
        let error = #expect(throws: MappingError.self) {
            try insert(#"[{"id":1,"start":1,"end":2,"\#(attribute)":\#(json)}]"#)
        }
        #expect(error?.attribute == attribute)
        #expect(error?.path == "$[0].\(attribute)")
        #expect(error?.reason == .unexpectedValue(expected: expected, found: found(json)))
        #expect(try store.count(Period.all) == 0)
    }

    private func found(_ json: String) -> String { json.hasPrefix("[") ? "an array" : json }

    @Test func `what is in the range is taken`() throws {
        let period = try insert(
            #"[{"id":1,"start":1,"end":2,"level":-128,"kind":"night","marks":[1,2]}]"#)[0]
        #expect(period.level == -128)
        #expect(period.kind == .night)
        #expect(period.marks == [1, 2])
        #expect(try insert(#"[{"id":2,"start":1,"end":2,"level":null}]"#)[0].kind == .day)
    }

    @Test func `what is allowed is said in words`() {
        #expect(AllowedValues.all.expectation == nil)
        #expect(AllowedValues.integers(.min ... .max).expectation == nil)
        #expect(AllowedValues.reals(0...1).expectation == "a number from 0.0 to 1.0")
        let many = AllowedValues.list((0..<20).map { SQLValue.integer($0) })
        #expect(many.expectation?.hasSuffix("15, …") == true)
        #expect(many.contains(.integer(19)) && !many.contains(.integer(20)))
        #expect(AllowedValues.reals(0...1).contains(.integer(1)))
        #expect(!AllowedValues.reals(0...1).contains(.text("1")))
        #expect(!AllowedValues.integers(0...1).contains(.real(1)))
        #expect(AllowedValues.integers(0...1).contains(.null))
        #expect(AllowedValues.those("even") { $0 == .integer(2) }.expectation == "even")
        #expect(AllowedValues.all == many)
    }
}
