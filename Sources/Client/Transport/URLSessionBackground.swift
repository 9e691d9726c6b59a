#if canImport(Darwin) || LARDER_URLSESSION
import Foundation
import HTTPTypes
import LarderPromises

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Exchanges that a session makes by itself: it downloads to files and uploads from files, and each of its tasks says
/// what it is for, so that another run of the app can go on with it.
final class URLSessionBackground: BackgroundExchanger {
    private let session: URLSession
    private let exchanges: URLSessionExchanges

    init(
        _ configuration: URLSessionConfiguration, tls: [String: TLSSettings] = [:],
        onEnd: @escaping @Sendable (BackgroundTransfer) -> Void
    ) {
        exchanges = URLSessionExchanges(trust: URLSessionTrust(tls)) { task in
            URLSessionExchange.adopting(task, onEnd: onEnd)
        }
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let record = BackgroundRecord(request)
        let exchange = URLSessionExchange(request) { result in
            if let file = record.uploadFile { try? FileManager.default.removeItem(at: file) }
            completion(result)
        }
        do throws(TransportError) {
            try exchanges.trust.check(request)
            var urlRequest = try URLRequest(request)
            urlRequest.httpBody = nil
            let sent = urlRequest
            if let file = record.uploadFile { try Self.write(request.body ?? Data(), to: file) }
            session.getAllTasks { tasks in
                self.start(exchange, sent, record, beside: tasks)
            }
        } catch {
            exchange.refuse(error)
        }
        return exchange
    }

    func eventsDelivered() async {
        await withCheckedContinuation { continuation in
            exchanges.whenEventsAreDelivered { continuation.resume() }
        }
    }

    private func start(
        _ exchange: URLSessionExchange, _ request: URLRequest, _ record: BackgroundRecord,
        beside tasks: [URLSessionTask]
    ) {
        guard let task = task(of: exchange, request, record, beside: tasks) else { return }
        exchanges.add(exchange, for: task)
        exchange.start(task, within: nil)
    }

    /// The task of an exchange, nil where that has ended meanwhile.
    private func task(
        of exchange: URLSessionExchange, _ request: URLRequest, _ record: BackgroundRecord,
        beside tasks: [URLSessionTask]
    ) -> URLSessionTask? {
        for task in tasks where task.state == .running || task.state == .suspended {
            guard !exchanges.knows(task), let other = BackgroundRecord(of: task.taskDescription),
                other.isOfSameFile(as: record)
            else { continue }
            // It ends with the exchange, also where that has ended meanwhile.
            if other.isSame(as: exchange.request) { return task }
            // Two that write to one file would spoil it, and what is somebody else's is nobody's here.
            if exchange.isWanted { task.cancel() }
        }
        // The file that it is to send goes with the exchange, and some systems end the app where it is gone.
        let task = exchange.whileWanted {
            record.uploadFile.map { session.uploadTask(with: request, fromFile: $0) }
                ?? session.downloadTask(with: request)
        }
        guard let task else { return nil }
        task.taskDescription = record.text
        return task
    }

    private static func write(_ content: Data, to file: URL) throws(TransportError) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file)
        } catch {
            throw TransportError(
                .temporaryFile, "The content could not be written to a file to send it from.")
        }
    }
}

extension URLSessionExchange {
    /// Makes the exchange of a task that another run of the app has begun: nobody waits for it, so that it gives the
    /// file its name by itself.
    static func adopting(
        _ task: URLSessionTask, onEnd: @escaping @Sendable (BackgroundTransfer) -> Void
    ) -> URLSessionExchange? {
        guard let record = BackgroundRecord(of: task.taskDescription) else { return nil }
        let method = task.originalRequest?.httpMethod.flatMap { HTTPRequest.Method($0) } ?? .get
        var request = TransportRequest(
            head: HTTPRequest(method: method, scheme: nil, authority: nil, path: nil))
        var (file, failure): (PartialFile?, POSIXError?)
        if let target = record.target {
            do throws(POSIXError) {
                let partial = try PartialFile(
                    for: target, maximumCount: record.maximumCount,
                    isReplacing: record.isReplacing)
                _ = partial.beginning(
                    of: record.isWhole ? nil : record.url, isWanted: record.start > 0,
                    replacing: max(partial.count - record.start, 0))
                request.sink = .file(partial, isWhole: record.isWhole)
                file = partial
            } catch {
                failure = error
            }
        }
        let (written, unwritten) = (file, failure)
        let exchange = URLSessionExchange(request) { result in
            if let upload = record.uploadFile { try? FileManager.default.removeItem(at: upload) }
            let outcome = Result<TransportResponse, any Error> {
                if let unwritten { throw unwritten }
                let response = try result.get()
                try written?.finish(response)
                return response
            }
            written?.release(isDiscarding: false)
            onEnd(BackgroundTransfer(url: record.url, file: record.target, result: outcome))
        }
        if failure != nil { exchange.stop(.cancelled) }
        return exchange
    }
}

extension PartialFile {
    /// Gives it its name where the response is all that was still missing.
    fileprivate func finish(_ response: TransportResponse) throws {
        guard (200..<300).contains(response.head.status.code) else { return }
        // What has no content of its own is not the rest of what is there.
        if let content = response.content.unwritten { try rewrite(content) }
        guard count >= end ?? 0, total ?? count == count else {
            throw TransportError(.truncatedBody, "The content ended before its end.")
        }
        try finish(isReplacing: isReplacing)
    }
}
#endif
