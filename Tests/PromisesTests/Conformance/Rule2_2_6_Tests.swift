import LarderPromises
import Testing

/// Attaches a handler for either outcome that logs its number, and may throw or do more.
private func attach(
    _ number: Int, to promise: Promise<Int>, log: Log<Int>,
    then more: @escaping @Sendable () throws -> Void = {}
) -> Promise<Int> {
    promise.finally {
        log.add(number)
        try more()
    }
}

private func orderRows(_ side: Settlement, _ moment: Moment) -> [Row] {
    let state = "\(side) \(moment)"
    return [
        Row("\(state): in the order attached") {
            let log = Log<Int>()
            await settle(side, moment) { promise, _ in
                for number in 1...5 { _ = attach(number, to: promise, log: log) }
            }
            #expect(log.entries == [1, 2, 3, 4, 5])
        },
        Row("\(state): also when one throws") {
            let log = Log<Int>()
            await settle(side, moment) { promise, _ in
                _ = attach(1, to: promise, log: log)
                _ = attach(2, to: promise, log: log) { throw Sample.second }
                _ = attach(3, to: promise, log: log)
            }
            #expect(log.entries == [1, 2, 3])
        },
        Row("\(state): also when one attaches another") {
            let log = Log<Int>()
            await settle(side, moment) { promise, _ in
                _ = attach(1, to: promise, log: log) { _ = attach(4, to: promise, log: log) }
                _ = attach(2, to: promise, log: log)
                _ = attach(3, to: promise, log: log)
            }
            let seen = log.entries
            #expect(seen.filter { $0 != 4 } == [1, 2, 3])
            #expect(seen.count == 4 && (seen.firstIndex(of: 4) ?? 0) > 0)
            if moment != .already { #expect(seen == [1, 2, 3, 4]) }
        },
        Row("\(state): each has a promise of its own") {
            let log = Log<Int>()
            let ends = Log<Promise<Int>>()
            await settle(side, moment) { promise, _ in
                ends.add(attach(1, to: promise, log: log))
                ends.add(attach(2, to: promise, log: log) { throw Sample.second })
                ends.add(attach(3, to: promise, log: log))
            }
            var errors: [Sample?] = []
            for end in ends.entries { errors.append(await end.failure as? Sample) }
            let passed: Sample? = side == .fulfilled ? nil : .first
            #expect(errors == [passed, .second, passed])
        },
        Row("\(state): branches of chains run on") {
            let log = Log<Int>()
            await settle(side, moment) { promise, _ in
                for number in 1...3 {
                    let first = attach(number, to: promise, log: log)
                    _ = attach(number * 10, to: first, log: log)
                }
            }
            #expect(log.entries.filter { $0 < 10 } == [1, 2, 3])
            #expect(log.entries.filter { $0 >= 10 } == [10, 20, 30])
        },
    ]
}

@Suite("2.2.6: all handlers of a promise run, in the order attached", .timeLimit(.minutes(60)))
struct Rule2_2_6_Tests {
    static var rows: [Row] {
        pairs(Settlement.allCases, Moment.allCases).flatMap(orderRows)
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
