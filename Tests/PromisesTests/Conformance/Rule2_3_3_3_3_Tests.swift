import LarderPromises
import Testing

/// The first call of a resolver.
private enum FirstCall: CaseIterable {
    case value
    case error
    case settledPromise
    case pendingPromise

    /// Resolves, and returns what settles a pending inner promise.
    func make(_ resolver: Resolver<Int>) -> Resolver<Int>? {
        switch self {
        case .value: resolver.fulfill(1)
        case .error: resolver.reject(Sample.first)
        case .settledPromise: resolver.resolve(with: Promise.fulfilled(1))
        case .pendingPromise:
            let (inner, innerResolver) = Promise<Int>.pending()
            resolver.resolve(with: inner)
            return innerResolver
        }
        return nil
    }
}

/// The second call, which must count for nothing.
private enum SecondCall: CaseIterable {
    case value
    case error

    func make(_ resolver: Resolver<Int>) {
        switch self {
        case .value: resolver.fulfill(2)
        case .error: resolver.reject(Sample.second)
        }
    }
}

@Suite("2.3.3.3.3: only the first call of the resolver counts", .timeLimit(.minutes(60)))
struct Rule2_3_3_3_3_Tests {
    static var rows: [Row] {
        pairs(["at once", "later"], pairs(FirstCall.allCases, SecondCall.allCases)).map {
            time, calls in
            Row("\(calls.0), then \(calls.1) \(time)") {
                let (promise, resolver) = Promise<Int>.pending()
                let inner = calls.0.make(resolver)
                if time == "later" { await drained() }
                calls.1.make(resolver)
                inner?.fulfill(1)
                switch calls.0 {
                case .error:
                    let error = await promise.failure as? Sample
                    #expect(error == .first)
                default:
                    let value = try await promise.value
                    #expect(value == 1)
                }
            }
        } + [
            Row("three calls of three kinds") {
                let promise = Promise<Int> { resolver in
                    resolver.resolve(with: .success(1))
                    resolver.resolve(with: Promise.rejected(Sample.first))
                    resolver.resolve(with: .failure(Sample.second))
                }
                let value = try await promise.value
                #expect(value == 1)
            }
        ]
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

@Suite(
    "2.3.3.3.4: an executor that throws rejects, unless it has settled", .timeLimit(.minutes(60)))
struct Rule2_3_3_3_4_Tests {
    private static func thrower(
        _ error: any Error, after settle: @escaping @Sendable (Resolver<Int>) -> Void = { _ in }
    ) -> Promise<Int> {
        Promise { resolver in
            settle(resolver)
            throw error
        }
    }

    static var rows: [Row] {
        [
            Row("before settling, an error of an enum") {
                #expect(await thrower(Sample.second).failure as? Sample == .second)
            },
            Row("before settling, an error of a struct") {
                let error = await thrower(Detailed(detail: "x")).failure
                #expect(error as? Detailed == Detailed(detail: "x"))
            },
            Row("before settling, a cancellation") {
                #expect(await thrower(CancellationError()).failure is CancellationError)
            },
            Row("after a value") {
                let value = try await thrower(Sample.second) { $0.fulfill(1) }.value
                #expect(value == 1)
            },
            Row("after an error") {
                let error = await thrower(Sample.second) { $0.reject(Sample.first) }.failure
                #expect(error as? Sample == .first)
            },
            Row("after a fulfilled promise") {
                let promise = thrower(Sample.second) { $0.resolve(with: Promise.fulfilled(1)) }
                let value = try await promise.value
                #expect(value == 1)
            },
            Row("after a rejected promise") {
                let promise = thrower(Sample.second) {
                    $0.resolve(with: Promise.rejected(Sample.first))
                }
                #expect(await promise.failure as? Sample == .first)
            },
            Row("after a promise that is fulfilled later") {
                let (inner, resolver) = Promise<Int>.pending()
                let promise = thrower(Sample.second) { $0.resolve(with: inner) }
                resolver.fulfill(1)
                let value = try await promise.value
                #expect(value == 1)
            },
            Row("after a promise that is rejected later") {
                let (inner, resolver) = Promise<Int>.pending()
                let promise = thrower(Sample.second) { $0.resolve(with: inner) }
                resolver.reject(Sample.first)
                #expect(await promise.failure as? Sample == .first)
            },
        ]
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
