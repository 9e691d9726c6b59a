#if canImport(Darwin) || LARDER_URLSESSION
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionExchange {
    /// Notes how much the system has written to a file of its own.
    func noteDownload(of count: Int64, in task: URLSessionTask) {
        if let most = request.sink?.maximumCount, count > Int64(most) {
            return stop(.limitExceeded("The content exceeds \(most) bytes."))
        }
        reportProgress(of: task)
    }

    /// Takes the content that the system has written to a file of its own.
    func receive(fileAt location: URL, in task: URLSessionTask) {
        guard receive(task.response, in: task) else { return }
        do {
            let file = try FileHandle(forReadingFrom: location)
            defer { try? file.close() }
            while let piece = try file.read(upToCount: 256 << 10), !piece.isEmpty {
                guard take(piece) else { return }
            }
        } catch {
            stop(TransportError(.temporaryFile, "What has been downloaded could not be read."))
        }
    }
}
#endif
