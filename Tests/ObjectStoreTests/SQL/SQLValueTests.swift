import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct SQLValueTests {
    static let values: [SQLValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-0.5), .real(1e300),
        .real(.leastNonzeroMagnitude), .real(1), .real(.infinity), .real(-.infinity), .text(""),
        .text("a"),
        .text("it's"), .text("''"), .text("a\"b"), .text("\\"), .text("a\nb"), .text("a\0b"),
        .text("'); DROP TABLE t;--"), .text("é😀"), .blob([]), .blob([0, 15, 16, 255]),
    ]

    @Test(arguments: values.indices)
    func `a literal stands for its value`(index: Int) throws {
        let value = Self.values[index]
        #expect(try Connection.inMemory().value("SELECT \(value.literal)") == value)
    }

    @Test(arguments: values.indices)
    func `a literal can be a column's default`(index: Int) throws {
        let value = Self.values[index]
        let connection = try Connection.inMemory()
        try connection.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a ANY DEFAULT \(value.literal)) STRICT")
        try connection.execute("INSERT INTO t (id) VALUES (1)")
        #expect(try connection.value("SELECT a FROM t") == value)
    }

    @Test func `text is the same where its bytes are`() {
        let (one, two) = ("caf\u{e9}", "cafe\u{301}")
        #expect(one == two)
        #expect(SQLValue.text(one) != .text(two))
        #expect(Set([SQLValue.text(one), .text(two), .text(one)]).count == 2)
        #expect(IdentityValues(one) != IdentityValues(two))
        #expect(One<Tag>(id: one) != One<Tag>(id: two))
        for value in Self.values {
            #expect(Self.values.filter { $0 == value } == [value])
            #expect(Set(Self.values).contains(value))
        }
    }

    @Test func `what is not a number is NULL`() {
        #expect(SQLValue.real(.nan).literal == "NULL")
    }
}
