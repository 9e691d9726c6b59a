import LarderPromises
import Testing

@Suite("2.3.4: a plain value fulfils", .timeLimit(.minutes(60)))
struct Rule2_3_4_Tests {
    static var rows: [Row] {
        pairs(Settlement.allCases, Moment.allCases).map { side, moment in
            Row("returned from the handler of a promise \(side) \(moment)") {
                let ends = Log<Promise<Int?>>()
                await settle(side, moment) { promise, _ in
                    let optional = promise.then { (value: Int) -> Int? in value }
                    switch side {
                    case .fulfilled: ends.add(optional.then { _ -> Int? in nil })
                    case .rejected: ends.add(optional.recover { _ -> Int? in nil })
                    }
                }
                let value = try await ends.entries[0].value
                #expect(value == nil)
                #expect(ends.entries[0].isFulfilled)
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
