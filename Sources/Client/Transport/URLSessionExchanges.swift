#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import LarderPromises

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session's delegate: passes what it is told on to the exchange that it is about.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    Sendable
{
    /// What is answered where certificates are asked about.
    let trust: URLSessionTrust

    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        var onEventsDelivered: [@Sendable () -> Void] = []
        /// Whether all was told before anybody waited for it.
        var areEventsDelivered = false
    }

    /// Makes the exchange of a task that an earlier run of the app has begun.
    private let adopt: @Sendable (URLSessionTask) -> URLSessionExchange?
    private let state = Guarded(State())

    init(
        trust: URLSessionTrust,
        adopting adopt: @escaping @Sendable (URLSessionTask) -> URLSessionExchange? = { _ in nil }
    ) {
        self.trust = trust
        self.adopt = adopt
    }

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        state.withLock { $0.exchanges[task.taskIdentifier] = exchange }
    }

    /// Whether somebody waits for a task.
    func knows(_ task: URLSessionTask) -> Bool { awaited(task) != nil }

    /// Takes what is called, once, when all that happened while the app did not run has been told.
    func whenEventsAreDelivered(_ completion: @escaping @Sendable () -> Void) {
        let isTime = state.withLock { state in
            defer { state.areEventsDelivered = false }
            if !state.areEventsDelivered { state.onEventsDelivered.append(completion) }
            return state.areEventsDelivered
        }
        if isTime { completion() }
    }

    /// The exchange that somebody waits for.
    private func awaited(_ task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    /// The exchange that somebody waits for, or that of a task whose end nobody waits for any more; not before its
    /// end, as somebody may ask for the same until then.
    private func exchange(for task: URLSessionTask) -> URLSessionExchange? {
        if let exchange = awaited(task) { return exchange }
        guard let exchange = adopt(task) else { return nil }
        add(exchange, for: task)
        return exchange
    }

    // MARK: - What the session tells, on its queue, one thing at a time

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = exchange(for: dataTask)?.receive(response, in: dataTask) ?? false
        completionHandler(goesOn ? .allow : .cancel)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        awaited(task)?.reportProgress(of: task)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(for: dataTask)?.receive(data, in: dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Also about certificates, as there is no such method for the session as a whole.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch trust.answer(to: challenge) {
        case .asEver: completionHandler(.performDefaultHandling, nil)
        case .credential(let credential): completionHandler(.useCredential, credential)
        case .refusal(let error):
            // Also where nobody waits: its end alone would not say why.
            exchange(for: task)?.stop(error)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        awaited(task)?.receive(metrics)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        awaited(downloadTask)?.noteDownload(of: totalBytesWritten, in: downloadTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        // The file is gone once this returns.
        exchange(for: downloadTask)?.receive(fileAt: location, in: downloadTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchange(for: task)
        _ = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(error)
    }

    /// Is called for sessions in the background only.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let completions = state.withLock { state in
            defer { state.onEventsDelivered = [] }
            state.areEventsDelivered = state.onEventsDelivered.isEmpty
            return state.onEventsDelivered
        }
        for completion in completions { completion() }
    }
}
#endif
