import Foundation
import HTTPTypes
import LarderClient

extension Transport {
    /// Performs one exchange; cancelled with the task that waits for it.
    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            send(request) { continuation.resume(with: $0) }
        }
    }

    /// The error of an exchange that is to fail, or nil if it did not.
    func error(of request: TransportRequest) async -> TransportError? {
        do {
            _ = try await response(to: request)
            return nil
        } catch {
            return error as? TransportError
        }
    }
}

extension TransportRequest {
    /// A request to a server of the test, given up after ten minutes unless told otherwise.
    static func to(
        _ baseURL: URL,
        _ path: String = "/",
        method: HTTPRequest.Method = .get,
        headerFields: HTTPFields = [:],
        body: Data? = nil,
        timeout: Duration = .seconds(600),
        limits: TransportLimits? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "127.0.0.1:\(baseURL.port ?? 0)",
                path: path,
                headerFields: headerFields),
            body: body,
            timeout: timeout,
            limits: limits)
    }
}

extension Transport {
    /// The texts of the answers to requests, several of which are under way at once.
    func texts(of requests: [TransportRequest], atOnce width: Int) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var texts = Array(repeating: "", count: requests.count)
            for (index, request) in requests.enumerated() {
                if index >= width, let (index, text) = try await group.next() {
                    texts[index] = text
                }
                group.addTask {
                    let response = try await response(to: request)
                    return (index, String(decoding: response.body, as: UTF8.self))
                }
            }
            for try await (index, text) in group { texts[index] = text }
            return texts
        }
    }

    /// Performs one exchange after the other, each as soon as that before it has been answered.
    ///
    /// On the transport's own thread: a task may have to wait for its turn for longer than libcurl keeps
    /// a connection.
    func responses(to requests: [TransportRequest]) async throws -> [TransportResponse] {
        try await withCheckedThrowingContinuation { continuation in
            send(requests[...], after: [], continuation)
        }
    }

    private func send(
        _ requests: ArraySlice<TransportRequest>, after responses: [TransportResponse],
        _ continuation: CheckedContinuation<[TransportResponse], any Error>
    ) {
        guard let request = requests.first else { return continuation.resume(returning: responses) }
        send(request) { result in
            do {
                let response = try result.get()
                send(requests.dropFirst(), after: responses + [response], continuation)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// The error of a request that is sent as soon as the same one has been answered, nil for none.
    ///
    /// On the transport's own thread: a task may have to wait for its turn for longer than libcurl keeps
    /// a connection.
    func error(ofSecond request: TransportRequest) async -> TransportError? {
        await withCheckedContinuation { continuation in
            send(request) { first in
                if case .failure(let error) = first { return continuation.resume(returning: error) }
                send(request) { second in
                    if case .failure(let error) = second {
                        continuation.resume(returning: error)
                    } else {
                        continuation.resume(returning: nil)
                    }
                }
            }
        }
    }
}
