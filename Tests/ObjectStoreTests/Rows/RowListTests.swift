import Testing

@testable import LarderObjectStore

struct RowListTests {
    private static func list(_ rows: [Int64]) -> [Int64] {
        var list = RowList(capacity: 0)
        for row in rows { list.append(row) }
        return list.rows
    }

    @Test(
        arguments: [
            ([], []), ([5], [5]), ([3, 1, 3, 2, 1], [3, 1, 2]),
            ([.min, .min, .max, .min], [.min, .max]),
        ] as [([Int64], [Int64])])
    func `keeps each row at its first place`(_ rows: [Int64], _ expected: [Int64]) {
        #expect(Self.list(rows) == expected)
    }

    @Test func `does the same for lists of any length and order`() {
        var generator = SplitMix64(seed: 3)
        for count in [1, 15, 16, 17, 18, 40, 1000] {
            for span in [3, Int64(count), 100_000] {
                let rows = (0..<count).map { _ in Int64.random(in: -span...span, using: &generator)
                }
                var seen: Set<Int64> = []
                #expect(Self.list(rows) == rows.filter { seen.insert($0).inserted })
                let sorted = rows.sorted()
                #expect(Self.list(sorted + rows) == Set(rows).sorted())
            }
        }
    }

    @Test func `says which rows another list does not have`() {
        for count in [0, 1, 16, 17, 100] {
            let others = (0..<Int64(count)).map { $0 * 2 }
            let rows = Array(0..<Int64(2 * count + 5)).reversed() as [Int64]
            #expect(
                RowList.difference(rows, others)
                    == rows.filter { $0 % 2 == 1 || $0 >= 2 * Int64(count) })
        }
        #expect(RowList.difference([], [1]) == [])
    }
}
