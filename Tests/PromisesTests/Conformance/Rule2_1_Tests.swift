import LarderPromises
import Testing

/// What a resolver may still try after its promise has settled.
private func tryAgain(_ resolver: Resolver<Int>) {
    resolver.fulfill(100)
    resolver.reject(Sample.second)
    resolver.resolve(with: Promise.fulfilled(101))
}

private func seenAfterTryingAgain(
    _ settlement: Settlement, _ moment: Moment, beforeAttaching: Bool
) async -> [String] {
    let log = Log<String>()
    let (promise, resolver) = Promise<Int>.pending()
    func attach() {
        promise.then { log.add("value \($0)") }.catch { log.add("error \($0)") }
    }
    if moment == .already { settlement.apply(to: resolver) }
    if !beforeAttaching { attach() }
    if moment == .immediately { settlement.apply(to: resolver) }
    if moment == .eventually {
        await onScheduler { settlement.apply(to: resolver) }
    }
    tryAgain(resolver)
    if beforeAttaching { attach() }
    tryAgain(resolver)
    await drained()
    return log.entries
}

@Suite("2.1.2: a fulfilled promise never changes", .timeLimit(.minutes(60)))
struct Rule2_1_2_Tests {
    static var rows: [Row] {
        pairs(Moment.allCases, [true, false]).map { moment, beforeAttaching in
            Row(
                "fulfilled \(moment), settled again \(beforeAttaching ? "before" : "after") attaching"
            ) {
                let seen = await seenAfterTryingAgain(
                    .fulfilled, moment, beforeAttaching: beforeAttaching)
                #expect(seen == ["value 7"])
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

@Suite("2.1.3: a rejected promise never changes", .timeLimit(.minutes(60)))
struct Rule2_1_3_Tests {
    static var rows: [Row] {
        pairs(Moment.allCases, [true, false]).map { moment, beforeAttaching in
            Row(
                "rejected \(moment), settled again \(beforeAttaching ? "before" : "after") attaching"
            ) {
                let seen = await seenAfterTryingAgain(
                    .rejected, moment, beforeAttaching: beforeAttaching)
                #expect(seen == ["error first"])
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
