import Dispatch
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Logging

/// One enqueued endpoint on its way from request to value.
///
/// Interceptors and transport come first, on whatever threads they like; then validators and processors,
/// beside those of other responses; what stores runs in one line for the client, in the order in which responses
/// have come, once the transaction has ended that the endpoint was enqueued in.
final class Delivery<Value: Sendable>: Sendable {
    let endpoint: any Endpoint
    let request: TransportRequest
    private let interceptors: [any Interceptor]
    let serializer: ResponseSerializer<Value>
    let resolver: Resolver<Value>
    let client: Client
    /// The transaction that the endpoint was enqueued in.
    let caller: OpenTransaction?
    /// Whether it was enqueued in one of any store, which may wait for it.
    let isInTransaction: Bool
    /// Its place among the client's requests in flight.
    private let place: RequestRegistry.Place?
    /// Those who want to hear of it, if anybody does.
    let trace: RequestTrace?
    /// The reports of its progress, if anybody wants any.
    let progress: RequestProgress?
    /// Its arrival in the client's queue, where there is one.
    let ticket: RequestQueue.Ticket?
    /// What becomes of it while one like it is in flight.
    let coalescing: Coalescing
    /// What others are refused for until it is not sent any more; nil where none are, or it is sent once.
    let claim: ExchangeClaim?
    /// The session that it is of.
    let session: Int
    /// What is kept of its response, and has been before; nil where nothing is.
    let keeping: KeptExchange?
    /// The object that is deleted where the server does not have it any more, nil where there is none.
    let removal: RemovableObject?
    /// Whether the response's list may be the whole of something.
    let mayBeWhole: Bool
    /// What the store has when it is asked for.
    let before = Guarded(StoreBefore())
    /// Whether nothing of the app's own has its say before the response is stored.
    private let isPlain: Bool
    /// The request that was sent last, where interceptors may have changed it, and what has come of it.
    let last = Guarded(LastExchange())
    /// The names that interceptors have made secret, also in requests that were never sent.
    let secretNames = Guarded<Set<String>>([])

    init(
        _ endpoint: any Endpoint, as request: TransportRequest,
        _ serializer: ResponseSerializer<Value>,
        for client: Client, in caller: OpenTransaction?, at place: RequestRegistry.Place?,
        _ trace: RequestTrace?, of session: Int, keeping: KeptExchange? = nil,
        to resolver: Resolver<Value>
    ) {
        (self.place, self.trace, self.keeping, self.session) = (place, trace, keeping, session)
        progress = RequestProgress(client.configuration.progressReports)
        self.endpoint = endpoint
        interceptors = endpoint.interceptors.followed(by: client.configuration.interceptors)
        var request = request
        if !interceptors.isEmpty {
            // Of whatever they send, one behind the other.
            if request.isWrite { request.attempt = request.attempt ?? AttemptLog(within: nil) }
        }
        self.request = request
        self.serializer = serializer
        self.resolver = resolver
        self.client = client
        self.caller = caller
        isInTransaction = OpenTransaction.current != nil
        // Each by itself, as the whole has much to keep.
        ticket = client.configuration.queue?
            .ticket(client.configuration.priority ?? endpoint.priority)
        let own = endpoint.coalescing
        coalescing = own.mode == .clientDefault ? client.configuration.coalescing : own
        claim =
            coalescing.mode == .refusing && !interceptors.isEmpty
            ? ExchangeClaim(in: client.configuration.exchangesInFlight) : nil
        removal = endpoint.removal.object
        mayBeWhole = serializer.isStoring && !endpoint.completeness.isPartial
        isPlain =
            serializer.isStoring && serializer.prepare == nil && caller == nil && trace == nil
            && removal == nil && client.configuration.processors.isEmpty
            && client.configuration.validators.allSatisfy(\.isOfStatus)
            && client.configuration.documentReader is JSONReader
            && !client.configuration.isLogging
            && endpoint.validators.isEmpty && endpoint.processors.isEmpty
            && endpoint.acceptedContentTypes.isEmpty
    }

    deinit { client.forget(place) }

    func start() {
        // Its content may have taken long.
        guard !resolver.isCancelled else { return }
        client.log(request) { "\(request.head.method) \($0)" }
        client.logFields(request.head.headerFields, of: request)
        client.logContent(request.body, of: request)
        // An interceptor may answer instead.
        guard mayBeAsked || !interceptors.isEmpty else {
            return fail(ClientError(.notCached), request, nil)
        }
        if mayBeWhole || takesEarlierOnly { lookBefore() } else { send() }
    }

    /// Sends the request through the interceptors.
    func send() {
        guard !interceptors.isEmpty else {
            let (reported, exchange) = exchange(for: request) { self.receive($0) }
            cancelling { exchange.cancel() }
            exchange.send(reported)
            return
        }
        // Others may wait for the interceptor's promise too: what is cancelled is this branch of it.
        let received = intercepted(request, from: 0).handle { self.receive($0) }
        cancelling { received.cancel() }
    }

    /// Stops the work where the promise is cancelled.
    private func cancelling(_ stop: @escaping @Sendable () -> Void) {
        // Not this delivery, which holds the resolver.
        resolver.onCancel { [client, request, claim] in
            client.log(request) { "cancelled: \(request.head.method) \($0)" }
            stop()
            claim?.release()
        }
    }

    // MARK: - Interceptors

    private func intercepted(
        _ request: TransportRequest, from index: Int
    ) -> Promise<TransportResponse> {
        guard index < interceptors.count else { return send(request) }
        let answer = Guarded<Promise<TransportResponse>?>(nil)
        let response = interceptors[index].intercept(request, for: endpoint.enqueued) { next in
            // Nobody waits any more for what it was to be sent for.
            if answer.withLock({ $0?.isCancelled }) == true {
                return .rejected(CancellationError())
            }
            // Of one that it has made anew, too.
            var next = next
            next.provenance = self.request.provenance
            next.takeNotes(of: request)
            if !next.secretNames.isEmpty {
                self.secretNames.withLock { $0.formUnion(next.secretNames) }
            }
            next.timeout = next.timeout ?? self.request.timeout
            next.idleTimeout = next.idleTimeout ?? self.request.idleTimeout
            next.limits = next.limits ?? self.request.limits
            next.retryTime?.bound(&next)
            return self.intercepted(next, from: index + 1)
        }
        answer.withLock { $0 = response }
        // Those around it are to know what it is, too.
        guard index > 0 else { return response }
        return response.then(on: .immediate) { own in self.last.withLock { $0.completing(own) } }
    }

    // MARK: - Response

    private func receive<Failure: Error>(_ result: Result<TransportResponse, Failure>) {
        claim?.release()
        // One that interceptors have made anew is of that exchange, too.
        let result = last.withLock { $0.end(with: result) }
        if let progress, !resolver.isCancelled { progress.end(with: result) }
        if let trace, case .success(let response) = result {
            trace.tell(.received(response.head.status, byteCount: response.bodyCount))
        }
        switch result {
        case .success(let response) where isToBeStoredAtOnce(response):
            client.importLine.add(
                Import(
                    delivery: self, request: response.sent?.request ?? lastSent,
                    response: response, processed: response, document: nil))
        case .success(let response):
            // Before what comes later, which is newer.
            let place = serializer.isStoring || removal != nil ? keepPlace() : nil
            if isToBeConfirmedAtOnce,
                isConfirmed(by: response, to: response.sent?.request ?? lastSent, at: place)
            {
                return
            }
            client.deliveryQueues.run { self.deliver(response, at: place) }
        case .failure(let error as ClientError) where error.isRefusal:
            refuse(error)
        case .failure(let error):
            fail(error, lastSent, nil)
        }
    }

    /// Whether nothing remains to be done but to store a response, so that a turn before that one, on another
    /// thread, can be left out; what is large is read beside others' all the same.
    private func isToBeStoredAtOnce(_ response: TransportResponse) -> Bool {
        guard isPlain, (1...1 << 16).contains(response.bodyCount),
            let request = response.sent?.request, !resolver.isCancelled
        else { return false }
        return validators.allSatisfy { (try? $0.validate(response, to: request)) != nil }
    }

    /// The request that was sent last, or the client's own where none was.
    var lastSent: TransportRequest { last.withLock { $0.sent?.request } ?? request }

    /// Keeps a place in the line for what has come.
    func keepPlace() -> ImportLine.Place {
        let place = client.importLine.keepPlace()
        resolver.onCancel { [weak place] in place?.leave() }
        return place
    }

    /// - Parameter place: The one that is kept for what is stored.
    private func deliver(_ response: TransportResponse, at place: ImportLine.Place?) {
        let request = response.sent?.request ?? lastSent
        client.log(request) {
            let source = response.source == .network ? "" : " (\(response.source))"
            return "\(response.head.status.code) \(response.bodyCount) bytes from \($0)\(source)"
        }
        client.logFields(response.head.headerFields, of: request)
        client.logContent(response.content.unwritten, of: request)
        guard !resolver.isCancelled else { return resolver.reject(CancellationError()) }
        if isConfirmed(by: response, to: request, at: place) { return }
        do {
            let processed: TransportResponse
            do {
                processed = try self.processed(response, to: request)
            } catch let error as ClientError
                where error.isRefusal && response.head.status.kind != .successful
                && isGone(by: response)
            {
                return remove(response, to: request, refusedBy: error, at: place)
            }
            trace?.tell(.validated)
            var job = Import(
                delivery: self, request: request, response: response, processed: processed,
                document: nil)
            if let removal, isGone(by: response) {
                job.rest = serializer.removing(removal, besides: before.withLock(\.removable))
                return store(job, at: place)
            }
            // What has no content writes nothing, so that the transaction may wait for it.
            guard serializer.isStoring,
                processed.bodyCount > 0 || caller == nil || serializer.writesMore
            else {
                place?.leave()
                var handlers = ReadyHandlers()
                return job.store(isCommitted: false, leaving: &handlers)
            }
            // Beside what is stored.
            if serializer.prepare != nil {
                try prepare(&job)
            } else if processed.bodyCount > 0 {
                job.document = try client.configuration.document(from: processed)
                trace?.parse()
            }
            store(job, at: place)
        } catch {
            // Whoever hears of it may wait for those behind.
            place?.leave()
            fail(error, request, response)
        }
    }

    /// Has a response stored in its turn, once the transaction has ended that the endpoint was enqueued in.
    func store(_ job: Import, at place: ImportLine.Place?) {
        guard let caller else {
            place?.fill(with: job)
            return
        }
        // Beside the queue, where one may be first that waits for the caller, as the caller may for
        // this one.
        client.store.whenEnded(caller) { error in
            if let error {
                place?.leave()
                self.fail(ClientError(.notStored, underlying: error), job.request, job.response)
            } else {
                place?.fill(with: job)
            }
        }
    }

    /// Tells how it ends.
    func end(_ kind: @autoclosure () -> RequestEvent.Kind) {
        guard let trace else { return }
        if let keeping { return keeping.end(kind()) }
        client.end(trace, kind(), at: place, of: resolver)
    }

    /// The endpoint's validators, then those of the client that it leaves in force.
    private var validators: [Validator] {
        let types = endpoint.acceptedContentTypes
        var validators = client.configuration.validators
        if let statuses = endpoint.ownAcceptedStatuses {
            validators.removeAll(where: \.isOfStatus)
            validators.insert(.status(statuses), at: 0)
        }
        if !types.isEmpty { validators.append(.contentType(types)) }
        return endpoint.validators.followed(by: validators)
    }

    /// The response as validators accept and processors rewrite it, unless its content is still to come.
    private func processed(
        _ response: TransportResponse, to request: TransportRequest
    ) throws -> TransportResponse {
        try ClientError.wrapping(.refused) {
            for validator in validators { try validator.validate(response, to: request) }
        }
        guard !request.isStreamed else { return response }
        var processed = response
        try ClientError.wrapping(.unprocessed) {
            for processor in endpoint.processors.followed(by: client.configuration.processors) {
                processed = try processor.process(processed, to: request)
            }
        }
        return processed.made(of: response)
    }
}
