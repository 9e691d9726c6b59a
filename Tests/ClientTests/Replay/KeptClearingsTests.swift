import Testing

@testable import LarderClient

/// What is left by those who were to remove all that is kept.
@Suite struct KeptClearingsTests {
    @Test func `what one could not remove is left until another has`() {
        var clearings = KeptClearings()
        let first = clearings.begin()
        clearings.end(first, isDone: false)
        #expect(clearings.isGoingOn && clearings.hasFailed)
        let second = clearings.begin()
        clearings.end(second, isDone: true)
        #expect(!clearings.isGoingOn && !clearings.hasFailed)
    }

    @Test func `it is begun again where one has failed and nobody is at it`() {
        var clearings = KeptClearings()
        let needless = clearings.beginAgain()
        let first = clearings.begin()
        clearings.end(first, isDone: false)
        let again = clearings.beginAgain()
        let beside = clearings.beginAgain()
        #expect(needless == nil && again != nil && beside == nil)
        clearings.end(again ?? 0, isDone: false)
        let onceMore = clearings.beginAgain()
        #expect(onceMore != nil)
    }

    @Test func `one whose failure is known late has left nothing that a later one has removed`() {
        var clearings = KeptClearings()
        let (first, second) = (clearings.begin(), clearings.begin())
        clearings.end(second, isDone: true)
        #expect(clearings.isGoingOn)
        clearings.end(first, isDone: false)
        #expect(!clearings.isGoingOn && !clearings.hasFailed)
    }
}
