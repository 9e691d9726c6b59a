import Foundation
import LarderPromises
import Testing

@Suite("2.2.7: `then` returns a promise of its own", .timeLimit(.minutes(60)))
struct Rule2_2_7_Tests {
    static var rows: [Row] {
        [
            Row("pending while the other is pending, and settled apart from it") {
                let (promise, resolver) = Promise<Int>.pending()
                let own = promise.then { "\($0)" }
                #expect(own.isPending)
                resolver.fulfill(7)
                #expect(promise.isFulfilled)
                let value = try await own.value
                #expect(value == "7")
            }
        ]
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

/// The kinds of errors that a handler may throw.
private enum Thrown: CaseIterable {
    case ofEnum
    case ofStruct
    case ofFoundation

    var error: any Error {
        switch self {
        case .ofEnum: Sample.second
        case .ofStruct: Detailed(detail: "why")
        case .ofFoundation: CocoaError(.fileNoSuchFile)
        }
    }

    func isSame(_ error: (any Error)?) -> Bool {
        switch self {
        case .ofEnum: error as? Sample == .second
        case .ofStruct: error as? Detailed == Detailed(detail: "why")
        case .ofFoundation: (error as? CocoaError)?.code == .fileNoSuchFile
        }
    }
}

@Suite("2.2.7.2: a handler that throws rejects with that very error", .timeLimit(.minutes(60)))
struct Rule2_2_7_2_Tests {
    static var rows: [Row] {
        pairs(Thrown.allCases, pairs(Settlement.allCases, Moment.allCases)).map {
            thrown, state in
            Row("an error \(thrown), \(state.0) \(state.1)") {
                let ends = Log<Promise<Int>>()
                await settle(state.0, state.1) { promise, _ in
                    switch state.0 {
                    case .fulfilled: ends.add(promise.then { _ -> Int in throw thrown.error })
                    case .rejected: ends.add(promise.recover { _ -> Int in throw thrown.error })
                    }
                }
                #expect(ends.count == 1)
                for end in ends.entries { #expect(thrown.isSame(await end.failure)) }
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

@Suite(
    "2.2.7.3 and 4: value and reason pass through where a handler is missing",
    .timeLimit(.minutes(60)))
struct Rule2_2_7_3_Tests {
    static var rows: [Row] {
        pairs(Settlement.allCases, Moment.allCases).map { side, moment in
            Row("\(side) \(moment)") {
                let ends = Log<Promise<Int>>()
                await settle(side, moment) { promise, _ in
                    switch side {
                    case .fulfilled: ends.add(promise.recover { _ in 0 })
                    case .rejected: ends.add(promise.then { $0 + 1 })
                    }
                }
                let result = await ends.entries[0].result
                switch side {
                case .fulfilled:
                    let value = try result.get()
                    #expect(value == Settlement.value)
                case .rejected: #expect(result.errorOrNil as? Sample == Settlement.error)
                }
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
