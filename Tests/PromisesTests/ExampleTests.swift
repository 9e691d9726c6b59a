import LarderPromises
import Testing

/// Longer stories, as applications tell them.
@Suite(.timeLimit(.minutes(60)))
struct ExampleTests {
    private struct Page: Sendable, Equatable {
        var number: Int
        var next: Int?
    }

    @Sendable
    private static func load(_ number: Int) -> Promise<Page> {
        .fulfilled(Page(number: number, next: number < 4 ? number + 1 : nil))
    }

    @Test func `pages are loaded one after the other, until there is none`() async throws {
        @Sendable func all(from number: Int, _ loaded: [Page]) -> Promise<[Page]> {
            Self.load(number).then { (page: Page) -> Promise<[Page]> in
                guard let next = page.next else { return .fulfilled(loaded + [page]) }
                return all(from: next, loaded + [page])
            }
        }
        #expect(try await all(from: 1, []).value.map(\.number) == [1, 2, 3, 4])
    }

    @Test func `what has been loaded is not loaded again`() async throws {
        let loads = Log<Int>()
        let cache = Guarded<[Int: Promise<String>]>([:])
        @Sendable func find(_ id: Int) -> Promise<String> {
            cache.withLock { cache in
                if let known = cache[id] { return known }
                let loading = Promise { () -> String in
                    loads.add(id)
                    return "loaded \(id)"
                }
                cache[id] = loading
                return loading
            }
        }
        let found = try await Promise.all([1, 2, 1, 1].map(find)).value
        #expect(found == ["loaded 1", "loaded 2", "loaded 1", "loaded 1"])
        #expect(try await find(2).value == "loaded 2")
        #expect(loads.entries.sorted() == [1, 2])
    }

    @Test func `a spinner goes away in every case`() async {
        let log = Log<String>()
        let (work, keeper) = Promise<Int>.pending()
        for source in [.fulfilled(1), .rejected(Sample.first), work] {
            log.add("show")
            let end = source.then { $0 + 1 }.finally { log.add("hide") }
            if source.isPending { end.cancel() }
            _ = await end.result
            await drained()
        }
        #expect(log.entries == ["show", "hide", "show", "hide", "show", "hide"])
        #expect(keeper.isCancelled)
    }

    @Test func `a token that has run out is renewed once, whoever finds out`() async throws {
        let calls = Log<String>()
        let renewals = Log<String>()
        let (renewed, resolver) = Promise<String>.pending()
        let renewal = Guarded<Promise<String>?>(nil)
        @Sendable func renew() -> Promise<String> {
            renewal.withLock { renewal in
                if let renewal { return renewal }
                renewals.add("renewed")
                renewal = renewed
                return renewed
            }
        }
        @Sendable func call(with token: String) -> Promise<String> {
            calls.add(token)
            return token == "new" ? .fulfilled("data") : .rejected(Sample.second)
        }
        let callers = (0..<10).map { _ in
            call(with: "old").recover(only: Sample.second) {
                renew().then { (token: String) in call(with: token) }
            }
        }
        await drained()
        #expect(renewals.entries.count == 1)
        // One who gives up leaves the renewal to the others.
        callers[0].cancel()
        resolver.fulfill("new")
        for caller in callers.dropFirst() { #expect(try await caller.value == "data") }
        #expect(await callers[0].failure is CancellationError)
        #expect(calls.entries.count { $0 == "old" } == 10)
        #expect(calls.entries.count { $0 == "new" } == 9)
        #expect(renewals.entries.count == 1)
    }

    @Test func `the same work is shared by those who ask while it runs`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let askers = (1...3).map { factor in work.then { (value: Int) in value * factor } }
        askers[0].cancel()
        askers[1].cancel()
        #expect(!resolver.isCancelled)
        resolver.fulfill(5)
        #expect(try await askers[2].value == 15)
    }
}
