import Testing

@testable import LarderObjectStore

/// Which values a column of each type keeps.
struct AttributeTypeTests {
    @Test(arguments: [
        (AttributeType.integer, SQLValue.integer(1), true), (.integer, .real(1), false),
        (.integer, .text("1"), false), (.double, .real(.infinity), true),
        (.double, .real(.nan), false), (.double, .integer(1), false), (.date, .real(-1), true),
        (.date, .real(.infinity), false), (.date, .text("2024-01-01"), false),
        (.boolean, .integer(1), true), (.boolean, .text("true"), false), (.string, .text(""), true),
        (.string, .blob([]), false), (.data, .blob([0]), true), (.data, .text("a"), false),
        (.json, .text("{}"), true), (.json, .blob([]), false),
        (.url, .text("https://example.com/a?b"), true), (.url, .integer(1), false),
        (.uuid, .text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), true), (.uuid, .text("E621"), false),
        (.decimal, .text("1.10"), true), (.decimal, .text("one"), false),
        (.decimal, .real(1), false),
    ])
    func `keeps what comes back as it was`(
        _ type: AttributeType, _ value: SQLValue, _ isKept: Bool
    ) {
        #expect(type.keeps(value) == isKept)
        #expect(type.keeps(.null))
    }

    @Test func `each type has a name for people`() {
        let names = Set(AttributeType.allCases.map(\.plainName))
        #expect(names.count == AttributeType.allCases.count)
    }
}
