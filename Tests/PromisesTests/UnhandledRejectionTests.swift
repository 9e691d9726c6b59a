import Foundation
import Testing

@testable import LarderPromises

/// The hook is one for the process: each test looks for errors of its own only.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct UnhandledRejectionTests {
    private struct Lost: Error, Equatable { var id: Int }

    /// Runs `body` while the hook is on, and returns what it was told about errors of `Lost`.
    private func reports(_ body: () async -> Void) async -> [UnhandledRejection] {
        let log = Log<UnhandledRejection>()
        UnhandledRejection.report { if $0.error is Lost { log.add($0) } }
        await body()
        await drained()
        UnhandledRejection.report(to: nil)
        return log.entries
    }

    @Test func `tells of a rejected promise that is dropped, and where it was made`() async {
        let line = #line + 1
        let seen = await reports { _ = Promise<Int>.rejected(Lost(id: 1)) }
        #expect(seen.map { $0.error as? Lost } == [Lost(id: 1)])
        #if DEBUG
        #expect(seen.first?.origin == "PromisesTests/UnhandledRejectionTests.swift:\(line)")
        #endif
    }

    /// On a thread whose stack is as small as those of Apple's systems.
    @Test func `tells of many one after the other`() async {
        let seen = await reports {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    for id in 0..<20_000 { _ = Promise<Int>.rejected(Lost(id: id)) }
                    continuation.resume()
                }
                thread.stackSize = 512 << 10
                thread.start()
            }
        }
        #expect(seen.count == 20_000)
    }

    @Test func `tells of a chain once, at its end`() async {
        let seen = await reports {
            Promise<Int>.rejected(Lost(id: 2)).then { (value: Int) in value }.finally {}
        }
        #expect(seen.count == 1)
    }

    @Test func `tells of each branch`() async {
        let seen = await reports {
            let (promise, resolver) = Promise<Int>.pending()
            promise.then { (value: Int) in value }
            promise.then { (value: Int) in value }
            promise.catch { _ in }
            resolver.reject(Lost(id: 3))
        }
        #expect(seen.count == 2)
    }

    @Test func `is silent about what a catch or recover has handled`() async {
        let seen = await reports {
            Promise<Int>.rejected(Lost(id: 4)).catch { _ in }
            Promise<Int>.rejected(Lost(id: 5)).catch { _ in }.then { $0 }.finally {}
            Promise<Int>.rejected(Lost(id: 6)).recover { _ in 1 }
        }
        #expect(seen.isEmpty)
    }

    @Test func `is silent about what a cancelled promise was to settle as`() async {
        let seen = await reports {
            let (promise, resolver) = Promise<Int>.pending()
            promise.cancel()
            resolver.resolve(with: Promise.rejected(Lost(id: 20)))
        }
        #expect(seen.isEmpty)
    }

    @Test func `tells of an error that a selective catch did not want`() async {
        let seen = await reports {
            Promise<Int>.rejected(Lost(id: 7)).catch(only: Sample.self) { _ in }
        }
        #expect(seen.count == 1)
    }

    @Test func `tells of an error that a handler threw`() async {
        let seen = await reports {
            Promise<Int>.rejected(Sample.first).catch { _ in throw Lost(id: 8) }
        }
        #expect(seen.count == 1)
    }

    @Test func `is silent about cancellations and awaited promises`() async {
        let seen = await reports {
            _ = Promise<Int>.rejected(CancellationError())
            let (promise, resolver) = Promise<Int>.pending()
            promise.then { (value: Int) in value }.cancel()
            withExtendedLifetime(resolver) {}
            let (awaited, other) = Promise<Int>.pending()
            async let result = awaited.result
            other.reject(Lost(id: 9))
            _ = await result
        }
        #expect(seen.isEmpty)
    }

    @Test func `is off without a hook`() async {
        UnhandledRejection.report(to: nil)
        _ = Promise<Int>.rejected(Lost(id: 10))
        let seen = await reports {}
        #expect(seen.isEmpty)
    }

    @Test func `tells of a combination, and not of its members`() async {
        let seen = await reports {
            let members = [11, 12].map { Promise<Int>.rejected(Lost(id: $0)) }
            _ = Promise.all(members)
        }
        #expect(seen.map { $0.error as? Lost } == [Lost(id: 11)])
    }

    @Test func `tells of what replaced an error that was handled`() async {
        let seen = await reports {
            Promise<Int>.rejected(Sample.first).catch { _ in }.finally { throw Lost(id: 13) }
        }
        #expect(seen.count == 1)
    }

    @Test func `is silent about what went on in another promise`() async {
        let seen = await reports {
            let inner = Promise<Int>.rejected(Lost(id: 14))
            let outer = Promise.fulfilled().then { inner }.catch { _ in }
            _ = await outer.result
        }
        #expect(seen.isEmpty)
    }

    @Test func `is silent about what a catch has handled, wherever it is passed on`() async {
        let clock = ManualClock()
        let seen = await reports {
            let passings: [@Sendable (Promise<Int>) -> Void] = [
                { _ = $0.timeout(after: .seconds(5), clock: clock) },
                { _ = $0.delay(by: .seconds(5), clock: clock) },
                { _ = $0.shielded() },
                { _ = $0.branch() },
                { _ = $0.asVoid() },
                { _ = Promise.all([$0]) },
                { _ = Promise.all($0, Promise.fulfilled("")) },
                { _ = Promise.race([$0]) },
                { _ = Promise.any([$0]) },
                { promise in _ = Promise.map([1], limit: 1) { _ in promise } },
                { promise in _ = Promise<Int>.retry(attempts: 1) { _ in promise } },
                { promise in _ = Promise<Int> { $0.resolve(with: promise) } },
            ]
            for (number, passOn) in passings.enumerated() {
                let (promise, resolver) = Promise<Int>.pending()
                passOn(promise.catch { _ in })
                await drained()
                resolver.reject(Lost(id: 100 + number))
                await drained()
            }
        }
        #expect(seen.map { $0.error as? Lost } == [])
    }

    @Test func `tells of an error that a handler throws anew`() async {
        let seen = await reports {
            Promise<Int>.rejected(Lost(id: 15)).catch { _ in }
                .recover { error -> Int in throw error }
        }
        #expect(seen.count == 1)
    }

    @Test func `is one line with the error and the place`() async {
        let seen = await reports { _ = Promise<Int>.rejected(Lost(id: 16)) }
        let text = seen.map(\.description)
        #expect(text.allSatisfy { $0.contains("Lost(id: 16)") && !$0.contains("\n") })
        #if DEBUG
        #expect(text.allSatisfy { $0.contains("PromisesTests/UnhandledRejectionTests.swift:") })
        #endif
        #expect(text.count == 1)
    }

    #if DEBUG
    @Test(arguments: [
        ("/work/.build/debug/larderPackageTests.xctest", true), ("/usr/bin/xctest", true),
        ("/usr/libexec/swiftpm-testing-helper", true), ("/work/.build/debug/server", false),
        ("script", false), ("", false),
    ])
    func `is said at first, but not in a run of tests`(path: String, isTestRun: Bool) {
        #expect(UnhandledRejection.isTestRun(path) == isTestRun)
    }

    @Test func `is not said in this run unless asked for`() {
        #expect(!UnhandledRejection.isOnAtFirst)
    }
    #endif
}
