import Foundation
import Testing

@testable import LarderObjectStore

struct JSONTextTests {
    @Test func `whole numbers and text`() throws {
        let values: [SQLValue] = [
            .integer(.min), .integer(0), .text("a\"\\\u{1}\nü🦸"), .integer(.max),
        ]
        let text = try #require(JSONText.array(values))
        let elements = try #require(try JSONDocument(text).root.elements)
        #expect(
            elements.map { $0.integer.map(SQLValue.integer) ?? .text($0.string ?? "") } == values)
        #expect(JSONText.array([] as [SQLValue]) == "[]")
        #expect(JSONText.array([] as [Int64]) == "[]")
        #expect(JSONText.array([1, -2] as [Int64]) == "[1,-2]")
    }

    @Test(arguments: [SQLValue.null, .real(1), .blob([1]), .text("a\u{0}b")])
    func `what JSON or SQLite's reader of it does not keep is none of it`(_ value: SQLValue) {
        #expect(JSONText.array([.integer(1), value]) == nil)
    }
}
