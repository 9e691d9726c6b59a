import Testing

@testable import LarderPromises

/// The default lane, and one job of it or of a scheduler: called once, twice, or never.
@Suite(.timeLimit(.minutes(60)))
struct DefaultLaneTests {
    private let log = Log<Int>()

    /// A job with one link in it, and the promise of that link.
    private func job() -> (job: Batch, promise: Promise<Int>) {
        let target = Scheduler.Target(.custom { _ in })
        let source = Promise.fulfilled(1).node
        let node = Node(upstream: source, target: target, site: CreationSite()) {
            [log] node, drain in
            if case .failure(let error) = node.input(as: Int.self) {
                return node.reject(error, in: &drain)
            }
            log.add(1)
            node.fulfill(2, in: &drain)
        }
        var list = NodeList()
        list.append(node)
        return (Batch(list, on: target), Promise(node: node))
    }

    @Test func `runs its nodes`() async throws {
        let (job, promise) = job()
        job.run()
        #expect(try await promise.value == 2)
        #expect(log.entries == [1])
    }

    @Test func `runs them once`() {
        let (job, promise) = job()
        job.run()
        job.run()
        #expect(log.entries == [1] && promise.isFulfilled)
    }

    @Test func `rejects them when it is thrown away`() async {
        let promise = thrownAway()
        #expect(await promise.failure as? PromiseError == .abandoned)
        #expect(log.entries.isEmpty)
    }

    private func thrownAway() -> Promise<Int> {
        let (job, promise) = job()
        withExtendedLifetime(job) {}
        return promise
    }

    @Test func `the default runs one handler at a time, in order`() async {
        let log = Log<Int>()
        for number in 0..<1_000 { Promise.fulfilled(number).then { log.add($0) } }
        await drained()
        #expect(log.entries == Array(0..<1_000))
    }
}
