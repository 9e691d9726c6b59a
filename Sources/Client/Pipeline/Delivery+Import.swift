import LarderObjectStore
import LarderPromises

/// What becomes of a response in its turn.
extension Delivery {
    /// A response that is to be stored.
    struct Import: ImportJob {
        let delivery: Delivery
        let request: TransportRequest
        let response: TransportResponse
        let processed: TransportResponse
        var document: JSONDocument?
        /// The serializer of what is left to be done, where some has been done beside the store.
        var rest: ResponseSerializer<Value>?

        var size: Int { processed.bodyCount }

        var keepsake: any Sendable {
            [delivery.endpoint, delivery.serializer] as [any Sendable]
        }

        var needsOwnTransaction: Bool { (rest ?? delivery.serializer).writesMore }

        /// Whether there is anything of it to be committed.
        var isStored: Bool {
            let serializer = rest ?? delivery.serializer
            return serializer.isStoring && (processed.bodyCount > 0 || serializer.writesMore)
        }

        func beginTurn() { delivery.trace?.beginStoring() }

        func endTurn() { delivery.trace?.endStoring() }

        func onCancel(_ giveUp: @escaping @Sendable () -> Void) {
            delivery.resolver.onCancel(giveUp)
        }

        func store(isCommitted: Bool, leaving handlers: inout ReadyHandlers) {
            var isCommitted = isCommitted
            let result = delivery.value(of: self, in: nil, &isCommitted)
            endTurn()
            delivery.settle(result, self, leaving: &handlers)
        }

        func store(in transaction: SharedTransaction) -> SharedImport {
            var isCommitted = false
            let result = delivery.value(of: self, in: transaction, &isCommitted)
            return SharedImport(isCommitted: isCommitted) { handlers in
                delivery.settle(result, self, leaving: &handlers)
            }
        }
    }

    /// The value that a response becomes.
    ///
    /// - Parameters:
    ///   - shared: The transaction that it shares with others, if it does.
    ///   - isCommitted: Whether it has passed its point of no return.
    private func value(
        of job: Import, in shared: SharedTransaction?, _ isCommitted: inout Bool
    ) -> Result<(value: Value, report: ImportReport), any Error> {
        guard !resolver.isCancelled else { return .failure(CancellationError()) }
        var hasCommitted = isCommitted
        defer { isCommitted = hasCommitted }
        let arrival = arrival(of: job, in: shared) { [resolver, keeping, client, session] in
            try client.session.check(session)
            guard hasCommitted || resolver.commit() && keeping?.commit() ?? true else {
                throw CancellationError()
            }
            hasCommitted = true
        }
        return Result {
            let value = try (job.rest ?? serializer).serialize(arrival)
            // What stores nothing has passed no such point.
            if !hasCommitted { try client.session.check(session) }
            return value
        }
    }

    private func arrival(
        of job: Import, in shared: SharedTransaction?, commit: @escaping () throws -> Void
    ) -> Arrival {
        Arrival(
            request: job.request, response: job.processed, isCurrent: job.response.isCurrent,
            client: client, session: session, content: job.document, shared: shared,
            list: mayBeWhole ? before.withLock(\.list) : nil, keeping: keeping, trace: trace,
            isCancelled: { [resolver] in resolver.isCancelled },
            onCancel: { [resolver] in resolver.onCancel($0) },
            commit: commit)
    }

    /// Does what can be done beside the store, where that is not all of it.
    func prepare(_ job: inout Import) throws {
        guard let prepare = serializer.prepare else { return }
        job.rest = try prepare(arrival(of: job, in: nil) { throw CancellationError() })
    }

    private func settle(
        _ result: Result<(value: Value, report: ImportReport), any Error>, _ job: Import,
        leaving handlers: inout ReadyHandlers
    ) {
        switch result {
        case .success(let (value, _)) where trace == nil:
            resolver.fulfill(value, leaving: &handlers)
        case .success(let (value, report)):
            // Whoever hears of this may wait for them.
            handlers.handOver()
            if let trace, job.isStored { trace.tell(.stored(report)) }
            if let trace, let stream = value as? any StreamedValue {
                // The trace alone, as what is kept till its end would keep it from ending.
                stream.tellEnd { trace.tell($0) }
            } else {
                end(.fulfilled((value as? any UntypedResponse)?.untypedValue ?? value, report))
            }
            resolver.fulfill(value)
        case .failure(let error):
            handlers.handOver()
            fail(error, job.request, job.response)
        }
    }
}

/// A value whose content is still to come.
protocol StreamedValue {
    /// Takes what is told how that ends; it must not keep the value.
    func tellEnd(_ tell: @escaping @Sendable (RequestEvent.Kind) -> Void)
}
