import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

extension Client {
    /// Sends an endpoint on its way, and returns the promise as the client's processors make it.
    func perform<Value>(
        _ endpoint: some Endpoint, _ serializer: ResponseSerializer<Value>,
        fileID: StaticString, line: UInt
    ) -> Promise<Value> {
        let promise = begin(endpoint, serializer, fileID: fileID, line: line)
        return configuration.promiseProcessors.reduce(promise) {
            $1.process($0, for: endpoint.enqueued)
        }
    }

    /// Builds the request of an endpoint and sends it on its way.
    ///
    /// Content is encoded on a queue, as that may take its time: in the order of the calls, but for what
    /// may take long.
    private func begin<Value>(
        _ endpoint: some Endpoint, _ serializer: ResponseSerializer<Value>,
        fileID: StaticString, line: UInt
    ) -> Promise<Value> {
        let (promise, resolver) = Promise<Value>.pending(fileID: fileID, line: line)
        let transaction = store.openTransaction
        let caller = serializer.isStoring || !endpoint.removal.isNone ? transaction : nil
        // Content may take until another session has begun.
        let (content, session) = (endpoint.content, currentSession)
        // Once, as it may have to be boxed.
        let endpoint: any Endpoint = endpoint
        let admissions = configuration.makeAdmissions(for: endpoint)
        let place =
            configuration.tracksRequests
            ? registry.add(endpoint.enqueued, promise, in: configuration.queue) : nil
        let trace = observers.trace(of: endpoint.enqueued, configuration.redaction)
        if let trace {
            trace.tell(.began)
            resolver.onCancel { trace.tell(.cancelled) }
        }
        guard let content else {
            send(
                endpoint, nil, serializer, in: caller, at: place, trace, of: session, admissions,
                to: resolver)
            return promise
        }
        // What an interceptor asks for is asked for in the transaction, too.
        let current = transaction ?? OpenTransaction.current
        let refreshes = TransportRequest.Provenance.refreshes
        let encode: @Sendable (RequestBody) -> Void = { content in
            // Whoever waits here for another request with content may wait for ever.
            WaitBan.perform {
                guard !resolver.isCancelled else { return self.forget(place) }
                OpenTransaction.$current.withValue(current) {
                    TransportRequest.Provenance.$refreshes.withValue(refreshes) {
                        self.send(
                            endpoint, content, serializer, in: caller, at: place, trace,
                            of: session, admissions, to: resolver)
                    }
                }
            }
        }
        if content.isGathered {
            let gathering = Task {
                let whole = await content.whole()
                longEncodingQueues.run { encode(whole) }
            }
            resolver.onCancel(cancelling: gathering)
        } else if content.mayTakeLong {
            longEncodingQueues.run { encode(content) }
        } else {
            encodingQueue.async { encode(content) }
        }
        return promise
    }

    private func send<Value>(
        _ endpoint: any Endpoint, _ content: RequestBody?, _ serializer: ResponseSerializer<Value>,
        in caller: OpenTransaction?, at place: RequestRegistry.Place?, _ trace: RequestTrace?,
        of session: Int, _ admissions: Admissions?, to resolver: Resolver<Value>
    ) {
        do {
            var request = try request(for: endpoint, with: .some(content))
            request.provenance.admissions = admissions
            trace?.build(request)
            guard session == self.session.current else {
                throw ClientError(.loggedOut)
                    .completed(by: request, configuration.redaction(for: endpoint))
            }
            if let fetch = try Fetch(
                endpoint, as: request, serializer, for: self, in: caller, at: place, trace,
                of: session, to: resolver)
            {
                return fetch.start()
            }
            Delivery(
                endpoint, as: request, serializer, for: self, in: caller, at: place, trace,
                of: session, to: resolver
            )
            .start()
        } catch {
            end(trace, .failed(error), at: place, of: resolver)
            forget(place)
            resolver.reject(error)
        }
    }

    /// Tells how a request ends, if anybody wants to hear of it, which nothing changes from then on: it is
    /// in flight no more.
    func end<Value>(
        _ trace: RequestTrace?, _ kind: RequestEvent.Kind, at place: RequestRegistry.Place?,
        of resolver: Resolver<Value>
    ) {
        guard let trace else { return }
        // What is stored has been committed before. What is cancelled before tells of that.
        _ = resolver.commit()
        guard !resolver.isCancelled else { return }
        forget(place)
        trace.tell(kind)
    }

    /// Takes a request that has ended out of those in flight.
    func forget(_ place: RequestRegistry.Place?) {
        if let place { registry.remove(place) }
    }

    /// The request as it goes to the interceptors.
    ///
    /// - Parameter content: What the endpoint has been asked for; nil where it has not been asked.
    func request(
        for endpoint: some Endpoint, with content: RequestBody?? = nil
    ) throws -> TransportRequest {
        do {
            let base = try base.get()
            var request = try AskedContent.building(endpoint, with: content) {
                try endpoint.request(baseURL: base.url)
            }
            try request.validate()
            base.addHeaderFields(to: &request, of: configuration)
            request.provenance = .init(
                origin: base.origin, secretNames: ownSecretNames,
                refreshes: TransportRequest.Provenance.refreshes)
            request.timeout = request.timeout ?? configuration.timeout
            request.idleTimeout = request.idleTimeout ?? configuration.idleTimeout
            request.limits = request.limits ?? configuration.limits
            let names = configuration.secretNames(for: endpoint)
            if !names.isEmpty { request.secretNames.formUnion(names) }
            return request
        } catch {
            throw ClientError(.invalidRequest, of: endpoint, configuration, underlying: error)
        }
    }
}
