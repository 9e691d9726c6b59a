import Foundation
import Larder
import LarderTesting
import Synchronization

/// A server in the process that has one list, says by its tag whether a client has that already, and may be away.
final class ListServer: Sendable {
    private static let tag = "\"1\""

    private let content: String
    private let away = Atomic(false)
    private let confirmations = Atomic(0)

    init(_ content: String) { self.content = content }

    /// Whether it can't be reached.
    var isAway: Bool {
        get { away.load(ordering: .relaxed) }
        set { away.store(newValue, ordering: .relaxed) }
    }

    /// How often it has said that nothing has changed.
    var confirmationCount: Int { confirmations.load(ordering: .relaxed) }

    var transport: DirectTransport { DirectTransport { try self.answer(to: $0) } }

    private func answer(to request: TransportRequest) throws -> TransportResponse {
        if isAway { throw TransportError(.cannotConnect, "It is away.") }
        let fields: HTTPFields = [.eTag: Self.tag]
        guard request.head.headerFields[.ifNoneMatch] == Self.tag else {
            return .json(content, headerFields: fields)
        }
        confirmations.add(1, ordering: .relaxed)
        return TransportResponse(head: HTTPResponse(status: .notModified, headerFields: fields))
    }
}
