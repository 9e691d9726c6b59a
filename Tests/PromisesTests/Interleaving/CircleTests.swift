#if DEBUG
import LarderPromises
import Testing

/// Circles of promises that several threads close together, while nobody waits for one of them.
@Suite
struct CircleTests {
    /// Promises and their resolvers.
    private static func ring(of count: Int) -> [(promise: Promise<Int>, resolver: Resolver<Int>)] {
        (0..<count).map { _ in Promise<Int>.pending() }
    }

    /// Lets the schedulers run, and expects that all these promises are rejected because of a circle.
    private static func expectCycle(_ promises: [Promise<Int>]) async {
        await drained()
        for promise in promises {
            // Nobody waits for one that hangs.
            guard promise.isRejected else {
                Issue.record("a promise of a circle is pending")
                return
            }
            #expect(await promise.failure as? PromiseError == .cycle)
        }
    }

    @Test func `of two that two threads close are seen`() async {
        let all = Log<Promise<Int>>()
        Intrusion.everywhere { intrude in
            let ring = Self.ring(of: 2)
            intrude {
                ring[0].resolver.resolve(with: ring[1].promise)
            } _: {
                ring[1].resolver.resolve(with: ring[0].promise)
            }
            for member in ring { all.add(member.promise) }
        }
        #expect(all.count > 4)
        await Self.expectCycle(all.entries)
    }

    /// The third is in the circle, or follows one that is; whoever is interrupted by whom.
    @Test(arguments: [0, 1])
    func `of two and three that three threads close are seen`(end: Int) async {
        let all = Log<Promise<Int>>()
        let places = 8
        for place in 0..<places * places * 3 {
            let ring = Self.ring(of: 3)
            let first = place / (places * places)
            let targets = end == 0 ? [1, 2, 0] : [1, 0, 0]
            let resolve: @Sendable (Int) -> Void = { step in
                let member = (first + step) % 3
                ring[member].resolver.resolve(with: ring[targets[member]].promise)
            }
            Intrusion.at(place % places) {
                resolve(0)
            } _: {
                Intrusion.at(place / places % places) {
                    resolve(1)
                } _: {
                    resolve(2)
                }
            }
            for member in ring { all.add(member.promise) }
        }
        await Self.expectCycle(all.entries)
    }

    @Test(arguments: [false, true])
    func `through a second attempt are seen`(followsFirst: Bool) async {
        let all = Log<Promise<Int>>()
        Intrusion.everywhere { intrude in
            let scheduler = ManualScheduler()
            let (first, firstResolver) = Promise<Int>.pending()
            let (second, secondResolver) = Promise<Int>.pending()
            let promise = Promise.retry(attempts: 2, on: scheduler.scheduler) { attempt in
                attempt == 1 ? first : second
            }
            scheduler.run()
            intrude {
                firstResolver.reject(Sample.first)
                scheduler.run()
            } _: {
                if followsFirst { secondResolver.resolve(with: promise) }
                scheduler.run()
                if !followsFirst { secondResolver.resolve(with: promise) }
            }
            scheduler.run()
            all.add(promise)
            all.add(second)
        }
        #expect(all.count > 4)
        await Self.expectCycle(all.entries)
    }
}
#endif
