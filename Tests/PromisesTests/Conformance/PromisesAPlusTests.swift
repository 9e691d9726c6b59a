import Testing

/// The whole table: 163 rows in 17 rules.
struct PromisesAPlusTests {
    private static let rules: [(rule: String, rows: [Row], count: Int)] = [
        ("2.1.2", Rule2_1_2_Tests.rows, 6),
        ("2.1.3", Rule2_1_3_Tests.rows, 6),
        ("2.2.1", Rule2_2_1_Tests.rows, 4),
        ("2.2.2", Rule2_2_2_Tests.rows, 11),
        ("2.2.3", Rule2_2_3_Tests.rows, 11),
        ("2.2.4", Rule2_2_4_Tests.rows, 16),
        ("2.2.6", Rule2_2_6_Tests.rows, 30),
        ("2.2.7", Rule2_2_7_Tests.rows, 1),
        ("2.2.7.2", Rule2_2_7_2_Tests.rows, 18),
        ("2.2.7.3-4", Rule2_2_7_3_Tests.rows, 6),
        ("2.3.1", Rule2_3_1_Tests.rows, 2),
        ("2.3.2", Rule2_3_2_Tests.rows, 10),
        ("2.3.3.3.1", Rule2_3_3_3_1_Tests.rows, 8),
        ("2.3.3.3.2", Rule2_3_3_3_2_Tests.rows, 2),
        ("2.3.3.3.3", Rule2_3_3_3_3_Tests.rows, 17),
        ("2.3.3.3.4", Rule2_3_3_3_4_Tests.rows, 9),
        ("2.3.4", Rule2_3_4_Tests.rows, 6),
    ]

    @Test func `every rule has its rows, 163 in all`() {
        for (rule, rows, count) in Self.rules {
            #expect(rows.count == count, "rule \(rule)")
            #expect(Set(rows.map(\.text)).count == rows.count, "rule \(rule) repeats a row")
        }
        #expect(Self.rules.map(\.rows.count).reduce(0, +) == 163)
    }
}
