#if DEBUG
import LarderPromises
import Testing

/// A cancellation that comes while a handler's promise begins to be followed.
@Suite
struct FollowingTests {
    /// Operators whose handler returns a promise, which is settled by then or not.
    enum Operator: CaseIterable, Sendable {
        case then, recover, finally

        func apply(
            to source: Promise<Int>, _ inner: @escaping @Sendable () -> Promise<Int>
        ) -> Promise<Int> {
            switch self {
            case .then: source.then(on: .immediate) { _ in inner() }
            case .recover: source.recover(on: .immediate) { _ in inner() }
            case .finally: source.finally(on: .immediate) { inner() }
            }
        }

        func settle(_ resolver: Resolver<Int>) {
            self == .recover ? resolver.reject(Sample.first) : resolver.fulfill(1)
        }
    }

    @Test(arguments: Operator.allCases, 1...3)
    func `spares a promise that others wait for`(operation: Operator, others: Int) {
        let places = Intrusion.everywhere { intrude in
            let (source, sourceResolver) = Promise<Int>.pending()
            let (inner, innerResolver) = Promise<Int>.pending()
            let values = Log<Int?>()
            for _ in 0..<others { inner.tap(on: .immediate) { values.add(try? $0.get()) } }
            let waiter = operation.apply(to: source) { inner }
            intrude {
                operation.settle(sourceResolver)
            } _: {
                waiter.cancel()
            }
            innerResolver.fulfill(2)
            #expect(values.entries == Array(repeating: 2, count: others))
            #expect(waiter.isCancelled)
        }
        #expect(places > 3)
    }

    @Test func `reaches a promise that nobody else waits for`() {
        Intrusion.everywhere { intrude in
            let (source, sourceResolver) = Promise<Int>.pending()
            let (inner, innerResolver) = Promise<Int>.pending()
            let calls = Counter()
            let waiter = source.then(on: .immediate) { _ in
                calls.add()
                return inner
            }
            intrude {
                sourceResolver.fulfill(1)
            } _: {
                waiter.cancel()
            }
            #expect(inner.isCancelled == (calls.value == 1))
            innerResolver.fulfill(2)
            #expect(waiter.isCancelled)
        }
    }
}
#endif
