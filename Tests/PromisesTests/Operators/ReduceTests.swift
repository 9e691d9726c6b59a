import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ReduceTests {
    @Test func `combines one after the other`() async throws {
        let end = Promise.reduce(["a", "b", "c"], from: "") { text, item in
            Promise { text + item }
        }
        #expect(try await end.value == "abc")
    }

    @Test func `waits for each step`() async throws {
        let (gate, resolver) = Promise<Int>.pending()
        let log = Log<Int>()
        let end = Promise.reduce([1, 2], from: 0) { sum, item -> Promise<Int> in
            log.add(item)
            return gate.then { $0 + sum + item }
        }
        await drained()
        #expect(log.entries == [1])
        resolver.fulfill(10)
        #expect(try await end.value == 23)
    }

    @Test func `of nothing is the initial value`() async throws {
        let end = Promise.reduce([Int](), from: 5) { sum, _ in Promise.fulfilled(sum) }
        #expect(try await end.value == 5)
    }

    @Test func `stops at an error`() async {
        let log = Log<Int>()
        let end = Promise.reduce([1, 2, 3], from: 0) { _, item -> Promise<Int> in
            log.add(item)
            throw Sample.first
        }
        #expect(await end.failure as? Sample == .first)
        #expect(log.entries == [1])
    }
}
