public import LarderPromises

/// The two answers to one request: by what is kept, and by the server.
///
/// Iterating over it gives what is kept, where anything is, and then what the server says; an error of the latter is
/// thrown. The source says which of the two it is: what is kept may be stale, where the policy lets it, and the server
/// may say no more than that it has not changed.
///
/// Cancelling the task that iterates, or the promise of ``onEach(on:_:)``, gives up both, unless somebody else waits
/// for them. Leaving the loop does not: as with any promise that is let go, what the server says is still stored, until
/// ``cancel()`` is called.
///
/// ```swift
/// for try await (issues, source) in client.cacheThenNetwork(of: { $0.enqueue(Issues(), as: [Issue].self) }) {
///     show(issues, isFinal: source == .network)
/// }
/// ```
public struct CacheThenNetwork<Value: Sendable>: Sendable {
    /// The value of what is kept; nil where nothing is that is good.
    public let cached: Promise<Value?>

    /// The value of what the server says, which is asked once ``cached`` has been settled.
    public let network: Promise<Value>

    /// Where the value of ``cached`` comes from.
    private let source: ResponseSource

    /// Enqueues with one client, and once that is settled with another.
    init(
        asking keeper: Client, then server: Client, from source: ResponseSource,
        _ enqueue: @escaping @Sendable (Client) -> Promise<Value>
    ) {
        let cached = enqueue(keeper)
            .then(on: .immediate) { Value?.some($0) }
            // Whatever is wrong with what is kept, the server may say better.
            .recover(on: .immediate) { error -> Value? in
                if error is CancellationError { throw error }
                return nil
            }
        self.cached = cached
        network = cached.then(on: .immediate) { (_: Value?) -> Promise<Value> in
            enqueue(server)
        }
        self.source = source
    }

    /// Calls a handler with one value after the other, and where they come from.
    ///
    /// - Returns: What the server says, once the handler has had it.
    @discardableResult
    public func onEach(
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (Value, ResponseSource) throws -> Void
    ) -> Promise<Void> {
        let (network, source) = (network, source)
        let told: Promise<Void> = cached.then(on: scheduler) { value in
            if let value { try handler(value, source) }
        }
        .then(on: scheduler) { () -> Promise<Value> in network }
        .then(on: scheduler) { try handler($0, .network) }
        // Cancelled together: the second waits for the first, too, and would be asked for all the same.
        return Promise<Void>.all([told, waiting()]).then(on: .immediate) { _ in }
    }

    /// A branch of the second, whatever becomes of that.
    private func waiting() -> Promise<Void> {
        network.then(on: .immediate) { _ in }
            .recover(policy: .allErrors, on: .immediate) { _ in }
    }

    /// Gives up both.
    public func cancel() {
        cached.cancel()
        network.cancel()
    }
}

extension CacheThenNetwork: AsyncSequence {
    /// Gives the values, the first first.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let values: CacheThenNetwork
        private var turn = 0
        /// Waits for the second while the first is awaited.
        private let waiting: Promise<Void>

        fileprivate init(_ values: CacheThenNetwork) {
            self.values = values
            waiting = values.waiting()
        }

        /// The next value and its source; nil behind that of the server.
        public mutating func next() async throws -> (value: Value, source: ResponseSource)? {
            turn += 1
            guard turn <= 2 else { return nil }
            let (values, waiting) = (values, waiting)
            return try await withTaskCancellationHandler {
                if turn == 1, let value = try await values.cached.value {
                    return (value, values.source)
                }
                turn = 2
                return (try await values.network.value, .network)
            } onCancel: {
                waiting.cancelWithTask()
            }
        }
    }

    /// Begins with what is kept.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Client {
    /// Enqueues a request twice: first for what is kept and fresh, which asks nobody, and once that is there, or is
    /// known not to be, for what the server says.
    ///
    /// What is kept is asked for on the condition that it has changed, so that the server need not send it again; its
    /// objects are stored like all others, before those that the server sends.
    ///
    /// - Parameter enqueue: Enqueues with the client that it is given.
    public func cacheThenNetwork<Value: Sendable>(
        of enqueue: @escaping @Sendable (Client) -> Promise<Value>
    ) -> CacheThenNetwork<Value> {
        // The store answers neither.
        let client = inSession().fetching(.networkOnly)
        return CacheThenNetwork(
            asking: client.caching(.cachedOnly), then: client.caching(.serverAlone), from: .cache,
            enqueue)
    }
}
