public import LarderPromises

extension Client {
    /// Creates a client of the same API and the same store that reports the progress of its requests.
    ///
    /// ```swift
    /// client.reportingProgress { bar.show($0.fractionSent) }.enqueue(Upload(file), as: Receipt.self)
    /// ```
    ///
    /// Counts begin anew with each redirect and attempt. The last report, once the response has come through
    /// the interceptors, has both fractions at 1, whatever its status; a request that fails before ends
    /// without it.
    ///
    /// - Parameter report: Called on threads of the transport, which wait for it.
    public func reportingProgress(
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) -> Client {
        configured { $0.progressReports.append(report) }
    }

    /// Enqueues a request whose progress can be awaited.
    ///
    /// ```swift
    /// let upload = client.progress { $0.enqueue(Upload(file), as: Receipt.self) }
    /// for await progress in upload.progress { bar.show(progress.fractionSent) }
    /// let receipt = try await upload.promise.value
    /// ```
    ///
    /// - Parameter enqueue: Enqueues with the client that it is given.
    public func progress<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        of enqueue: (Client) -> Promise<Value>
    ) -> ProgressPromise<Value, TransferProgress> {
        ProgressPromise(fileID: fileID, line: line) { enqueue(reportingProgress($0)) }
    }
}

extension TransferProgress {
    /// The part of the request's content that has been sent, from 0 to 1; nil where its size is not known.
    public var fractionSent: Double? { Self.fraction(of: sent, in: expectedToSend) }

    /// The part of the response's content that has been received, from 0 to 1; nil where its size is not
    /// known, or not yet.
    public var fractionReceived: Double? { Self.fraction(of: received, in: expectedToReceive) }

    private static func fraction(of count: Int64, in all: Int64?) -> Double? {
        all.map { $0 > 0 ? min(max(Double(count) / Double($0), 0), 1) : 1 }
    }
}
