import HTTPTypes
import LarderObjectStore
import LarderPromises

/// What is found to have vanished.
extension Delivery {
    /// Sends the request once it is known what the store has now: what comes to it from here on may be newer
    /// than the response.
    func lookBefore() {
        let completeness = mayBeWhole ? endpoint.completeness : nil
        let watch = client.store.watchRows()
        let giveUp = client.store.read { [removal = takesEarlierOnly ? removal : nil] in
            try StoreBefore(completeness, removal, in: $0, since: watch)
        } finish: { result in
            do {
                try self.before.withLock { $0 = try result.get() }
                guard !self.resolver.isCancelled else { throw CancellationError() }
                self.send()
            } catch {
                self.fail(ClientError.wrapped(error, as: .notStored), self.request, nil)
            }
        }
        resolver.onCancel(giveUp)
    }

    /// Whether what has come of its object since it was enqueued stays.
    ///
    /// What is to be deleted is to go, and what a transaction has written is there for what it enqueues.
    var takesEarlierOnly: Bool {
        removal != nil && caller == nil && request.head.method != .delete
    }

    /// Whether a response says that the object is gone that the endpoint is about.
    ///
    /// Where what has come since stays, what was sent before for another request is that one's to tell.
    func isGone(by response: TransportResponse) -> Bool {
        removal != nil && response.isCurrent && !(takesEarlierOnly && last.withLock(\.isJoined))
            && Removal.isGone(by: response, to: request.head.method)
    }

    /// Ends by the refusal of a validator among the interceptors, and has the object go where that tells of it.
    func refuse(_ error: ClientError) {
        let last = last.withLock(\.sent) ?? SentRequest(request)
        let request = last.request
        let response = error.response(to: last)
        guard let response, response.head.status.kind != .successful, isGone(by: response) else {
            // Its content may be decoded, by code of the app's.
            return client.deliveryQueues.run { self.fail(error, request, nil) }
        }
        let place = keepPlace()
        client.deliveryQueues.run {
            self.remove(response, to: request, refusedBy: error, at: place)
        }
    }

    /// Deletes what a refused response says is not there.
    func remove(
        _ response: TransportResponse, to request: TransportRequest,
        refusedBy error: ClientError, at place: ImportLine.Place?
    ) {
        guard let removal else { return fail(error, request, response) }
        var job = Import(
            delivery: self, request: request, response: response, processed: response,
            document: nil)
        job.rest = serializer.removing(
            removal, besides: before.withLock(\.removable), refusedBy: error,
            isSuccess: self.request.head.method == .delete)
        store(job, at: place)
    }
}
