import Larder

/// A transport that answers at once, on the calling thread, and takes next to nothing itself.
final class DirectTransport: Transport {
    private let answer: @Sendable (TransportRequest) throws -> TransportResponse

    init(answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse) {
        self.answer = answer
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        do {
            completion(.success(try answer(request)))
        } catch let error as TransportError {
            completion(.failure(error))
        } catch {
            completion(.failure(TransportError(.other, "\(error)")))
        }
        return EndedTask()
    }

    private struct EndedTask: TransportTask {
        func cancel() {}
    }
}
