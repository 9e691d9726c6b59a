import LarderPromises
import Testing

/// Promises that wait for each other.
@Suite(.timeLimit(.minutes(60)))
struct NodeNeedsTests {
    /// A promise that is known only after it has been made.
    private final class Later: Sendable {
        private let held = Log<Promise<Int>>()

        func hold(_ promise: Promise<Int>) {
            held.add(promise)
        }

        var promise: Promise<Int> {
            held.entries.first ?? .rejected(Sample.second)
        }
    }

    /// Operators that wait for a promise which a handler returns.
    enum Operator: CaseIterable, Sendable {
        case then, recover, finally, retry, allLimited

        func apply(
            to source: Promise<Int>, _ inner: @escaping @Sendable () -> Promise<Int>
        ) -> Promise<Int> {
            switch self {
            case .then: source.then { _ in inner() }
            case .recover: source.then { _ in throw Sample.first }.recover { _ in inner() }
            case .finally: source.finally { inner() }
            case .retry: Promise.retry(attempts: 1) { _ in source.then { _ in inner() } }
            case .allLimited:
                Promise.map([1], limit: 1) { _ in source.then { _ in inner() } }.then { $0[0] }
            }
        }
    }

    /// What stands between the promise and the one that its handler returns.
    enum Detour: CaseIterable, Sendable {
        case none, then, all, race, any, timeout, delay, inner, shielded

        func apply(to promise: Promise<Int>) -> Promise<Int> {
            switch self {
            case .none: promise
            case .then: promise.then { $0 + 1 }.then { $0 }
            case .all: Promise.all([promise, .fulfilled(1)]).then { $0[0] }
            case .race: Promise.race([promise, promise.then { $0 }])
            case .any: Promise.any([promise])
            case .timeout: promise.timeout(after: .seconds(1000))
            case .delay: promise.delay(by: .zero)
            case .inner: Promise { $0.resolve(with: promise) }
            case .shielded: promise.shielded()
            }
        }
    }

    @Test(arguments: Operator.allCases, Detour.allCases)
    func `reject, and reach their end`(operation: Operator, detour: Detour) async {
        let later = Later()
        let (source, resolver) = Promise<Int>.pending()
        let promise = operation.apply(to: source) { later.promise }
        later.hold(detour.apply(to: promise))
        let ends = Counter()
        promise.finally { ends.add() }
        resolver.fulfill(1)
        #expect(await promise.failure as? PromiseError == .cycle)
        let behind = await later.promise.failure
        let cause = (behind as? NoneFulfilled)?.errors.first ?? behind
        #expect(cause as? PromiseError == .cycle)
        await drained()
        #expect(ends.value == 1)
    }

    @Test(arguments: Operator.allCases)
    func `reject where nobody waits for the promise that its handler returns`(operation: Operator)
        async
    {
        let later = Later()
        let (source, resolver) = Promise<Int>.pending()
        let promise = operation.apply(to: source) { later.promise }
        later.hold(promise)
        resolver.fulfill(1)
        await drained()
        #expect(promise.isRejected)
    }

    @Test func `a race with another member can still be won`() async throws {
        let later = Later()
        let (source, resolver) = Promise<Int>.pending()
        let (free, winner) = Promise<Int>.pending()
        let promise = source.then { _ in later.promise }
        later.hold(Promise.race([promise, free]))
        resolver.fulfill(1)
        await drained()
        winner.fulfill(2)
        #expect(try await promise.value == 2)
    }

    @Test func `resolvers of two promises, each with the other`() async {
        let (first, firstResolver) = Promise<Int>.pending()
        let (second, secondResolver) = Promise<Int>.pending()
        firstResolver.resolve(with: second)
        secondResolver.resolve(with: first)
        #expect(await first.failure as? PromiseError == .cycle)
        #expect(await second.failure as? PromiseError == .cycle)
    }

    @Test(arguments: [false, true])
    func `the last member of any that is left, and waits for it`(rejectsFirst: Bool) async {
        let (left, leftResolver) = Promise<Int>.pending()
        let (other, otherResolver) = Promise<Int>.pending()
        if rejectsFirst { otherResolver.reject(Sample.first) }
        let any = Promise.any([left, other])
        leftResolver.resolve(with: any)
        otherResolver.reject(Sample.first)
        await drained()
        #expect(any.isRejected)
        #expect(left.isRejected)
    }

    @Test func `a member of any that waits for it while another may win`() async throws {
        let (left, leftResolver) = Promise<Int>.pending()
        let members = (0..<3).map { _ in Promise<Int>.pending() }
        let any = Promise.any([left] + members.map(\.promise))
        leftResolver.resolve(with: any)
        for member in members.dropLast() { member.resolver.reject(Sample.first) }
        await drained()
        #expect(any.isPending)
        members[2].resolver.fulfill(3)
        #expect(try await any.value == 3)
        #expect(try await left.value == 3)
    }
}
