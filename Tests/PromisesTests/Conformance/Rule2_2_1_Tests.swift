import LarderPromises
import Testing

@Suite("2.2.1: a handler left out is passed over", .timeLimit(.minutes(60)))
struct Rule2_2_1_Tests {
    static var rows: [Row] {
        [
            Row("no rejection handler: directly") {
                let value = try await Promise.fulfilled(7).then { $0 + 1 }.value
                #expect(value == 8)
            },
            Row("no rejection handler: further down the chain") {
                let end = Promise.fulfilled(7).recover { _ in 0 }.finally {}.then { $0 + 1 }
                let value = try await end.value
                #expect(value == 8)
            },
            Row("no fulfilment handler: directly") {
                let end = Promise<Int>.rejected(Sample.first).recover { _ in 1 }
                let value = try await end.value
                #expect(value == 1)
            },
            Row("no fulfilment handler: further down the chain") {
                let log = Log<Int>()
                let end = Promise<Int>.rejected(Sample.first)
                    .then { (value: Int) in log.add(value) }
                    .then { log.add(2) }
                    .then { 3 }
                    .recover { _ in 1 }
                let value = try await end.value
                #expect(value == 1)
                #expect(log.entries.isEmpty)
            },
        ]
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
