import LarderPromises

/// The reports of one request's progress, whichever exchanges it takes.
final class RequestProgress: Sendable {
    private struct State {
        var last = TransferProgress()
        var isOver = false
    }

    private let reports: [@Sendable (TransferProgress) -> Void]
    private let state = Guarded(State())

    /// Creates them; nil where nobody wants any.
    init?(_ reports: [@Sendable (TransferProgress) -> Void]) {
        guard !reports.isEmpty else { return nil }
        self.reports = reports
    }

    /// The request with reports to these as well as to its own.
    func reported(_ request: TransportRequest) -> TransportRequest {
        var request = request
        let sink = request.sink
        request.onProgress = { [own = request.onProgress] progress in
            own?(progress)
            self.note(progress.after(Int64(sink?.start ?? 0)))
        }
        return request
    }

    private func note(_ progress: TransferProgress) {
        let isOver = state.withLock { state in
            if !state.isOver { state.last = progress }
            return state.isOver
        }
        if !isOver { report(progress) }
    }

    /// Makes the last report where a response has come, be it one that an interceptor has refused.
    func end<Failure: Error>(with result: Result<TransportResponse, Failure>) {
        if case .success(let response) = result, let stream = response.content.stream {
            // Without the stream, which ends once nobody reads it any more.
            let head = response.head
            return stream.onEnd { outcome in
                self.end(with: outcome.map { TransportResponse(head: head) })
            }
        }
        let last = state.withLock { state in
            state.isOver = true
            return state.last
        }
        switch result {
        case .success: report(last.ended)
        // One with a URL is of another request, which some interceptor has made.
        case .failure(let error as ClientError) where error.isRefusal && error.url == nil:
            report(last.ended)
        case .failure: break
        }
    }

    private func report(_ progress: TransferProgress) {
        for report in reports { report(progress) }
    }
}

extension TransferProgress {
    /// The progress with what had been received before.
    fileprivate func after(_ start: Int64) -> TransferProgress {
        var progress = self
        progress.received += start
        progress.expectedToReceive = expectedToReceive.map { $0 + start }
        return progress
    }

    /// The progress of an exchange that is over: what was expected is what has come.
    fileprivate var ended: TransferProgress {
        TransferProgress(
            sent: sent, expectedToSend: sent, received: received, expectedToReceive: received)
    }
}
