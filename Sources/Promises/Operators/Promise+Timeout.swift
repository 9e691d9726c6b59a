extension Promise {
    /// Rejects with ``PromiseError/timedOut(after:)`` if the promise is pending after a time.
    ///
    /// The work is cancelled then, unless another branch waits for it.
    public func timeout(
        after duration: Duration, clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let work = branch()
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        let timer = Task {
            try await clock.sleep(for: duration)
            // First the reason, so that the cancellation of the work does not take its place.
            resolver.reject(PromiseError.timedOut(after: duration))
            work.cancel()
        }
        resolver.onCancel {
            timer.cancel()
            work.cancel()
        }
        work.observe { result, drain in
            resolver.resolve(with: result, in: &drain)
            timer.cancel()
        }
        return promise
    }
}
