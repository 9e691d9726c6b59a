import LarderPromises
import Testing

/// Longer stories, as applications tell them.
@Suite(.timeLimit(.minutes(10)))
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

    @Test func `a cache answers first, and the network where it has nothing`() async throws {
        let cached: [Int: String] = [1: "cached"]
        @Sendable func find(_ id: Int) -> Promise<String> {
            firstly { () throws -> Promise<String> in
                guard let hit = cached[id] else { throw Sample.first }
                return .fulfilled(hit)
            }
            .recover(only: Sample.first) { .fulfilled("loaded") }
        }
        let both = try await Promise.all([find(1), find(2)]).value
        #expect(both == ["cached", "loaded"])
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

    @Test func `a token that has run out is renewed once`() async throws {
        let calls = Log<String>()
        @Sendable func call(with token: String) -> Promise<String> {
            calls.add(token)
            return token == "new" ? .fulfilled("data") : .rejected(Sample.second)
        }
        let data = call(with: "old").recover(only: Sample.second) {
            Promise { "new" }.then { (token: String) in call(with: token) }
        }
        #expect(try await data.value == "data")
        #expect(calls.entries == ["old", "new"])
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
