import LarderPromises
import Testing

/// Attaches the handler of one side; the other side must stay silent.
private func attach(_ side: Settlement, to promise: Promise<Int>, log: Log<String>) {
    switch side {
    case .fulfilled: promise.then { log.add("\($0)") }
    case .rejected: promise.catch { log.add("\($0)") }
    }
}

/// The rows that the fulfilment and the rejection handler have in common.
private func callRows(_ side: Settlement) -> [Row] {
    let expected = side == .fulfilled ? "7" : "first"
    let other: Settlement = side == .fulfilled ? .rejected : .fulfilled
    var rows = Moment.allCases.map { moment in
        Row("called once with the outcome: settled \(moment)") {
            let log = Log<String>()
            await settle(side, moment) { promise, _ in attach(side, to: promise, log: log) }
            #expect(log.entries == [expected])
        }
    }
    rows += [
        Row("not called before: settled in a later turn") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            attach(side, to: promise, log: log)
            await drained()
            #expect(log.entries.isEmpty)
            side.apply(to: resolver)
            await drained()
            #expect(log.entries == [expected])
        },
        Row("not called before: never settled") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            attach(side, to: promise, log: log)
            await drained()
            #expect(log.entries.isEmpty && promise.isPending)
            withExtendedLifetime(resolver) {}
        },
        Row("called once: settled twice before attaching") {
            let log = Log<String>()
            await settle(side, .already) { promise, resolver in
                side.apply(to: resolver)
                attach(side, to: promise, log: log)
            }
            #expect(log.entries == [expected])
        },
        Row("called once: settled twice at once") {
            let log = Log<String>()
            await settle(side, .immediately) { promise, resolver in
                attach(side, to: promise, log: log)
                side.apply(to: resolver)
            }
            #expect(log.entries == [expected])
        },
        Row("called once: settled twice from other threads") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            attach(side, to: promise, log: log)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { side.apply(to: resolver) } }
            }
            await drained()
            #expect(log.entries == [expected])
        },
        Row("called once: settled now and in a later turn") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            attach(side, to: promise, log: log)
            side.apply(to: resolver)
            await drained()
            side.apply(to: resolver)
            await drained()
            #expect(log.entries == [expected])
        },
        Row("each handler once: attached at different times") {
            let log = Log<String>()
            let (promise, resolver) = Promise<Int>.pending()
            attach(side, to: promise, log: log)
            await drained()
            attach(side, to: promise, log: log)
            side.apply(to: resolver)
            attach(side, to: promise, log: log)
            await drained()
            #expect(log.entries == [expected, expected, expected])
        },
        Row("never called on the other settlement") {
            let log = Log<String>()
            await settle(other, .immediately) { promise, _ in
                attach(side, to: promise, log: log)
            }
            #expect(log.entries.isEmpty)
        },
    ]
    return rows
}

@Suite(
    "2.2.2: the fulfilment handler is called after fulfilment, with the value, once",
    .timeLimit(.minutes(60)))
struct Rule2_2_2_Tests {
    static var rows: [Row] {
        callRows(.fulfilled)
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

@Suite(
    "2.2.3: the rejection handler is called after rejection, with the reason, once",
    .timeLimit(.minutes(60)))
struct Rule2_2_3_Tests {
    static var rows: [Row] {
        callRows(.rejected)
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
