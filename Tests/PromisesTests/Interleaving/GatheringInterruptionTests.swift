#if DEBUG
import LarderPromises
import Testing

/// Members that settle while the promise of them all is cancelled.
@Suite
struct GatheringInterruptionTests {
    private func expectHarmony<Value>(
        rejects: Bool, _ gather: @Sendable ([Promise<Int>]) -> Promise<Value>
    ) {
        Intrusion.everywhere { intrude in
            let (first, firstResolver) = Promise<Int>.pending()
            let (second, secondResolver) = Promise<Int>.pending()
            let promise = gather([first, second])
            intrude {
                promise.cancel()
            } _: {
                rejects ? firstResolver.reject(Sample.first) : firstResolver.fulfill(1)
            }
            #expect(second.isCancelled == promise.isCancelled)
            secondResolver.fulfill(2)
        }
    }

    @Test(arguments: [false, true])
    func `a cancellation cancels all that has not settled`(rejects: Bool) {
        expectHarmony(rejects: rejects) { Promise.race($0) }
        expectHarmony(rejects: rejects) { Promise.any($0) }
        expectHarmony(rejects: rejects) { Promise.all($0) }
        expectHarmony(rejects: rejects) { Promise.allSettled($0) }
    }
}
#endif
