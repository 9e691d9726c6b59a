import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// A part of a stream that is to be stored, in a transaction of its own.
struct PartImport<Value: Sendable>: ImportJob {
    let part: Data
    let origin: StreamOrigin
    let serializer: ResponseSerializer<Value>
    let resolver: Resolver<Value>

    var size: Int { part.count }

    var needsOwnTransaction: Bool { true }

    var keepsake: any Sendable { serializer }

    func beginTurn() {}

    func endTurn() {}

    func onCancel(_ giveUp: @escaping @Sendable () -> Void) {
        resolver.onCancel(giveUp)
    }

    func store(isCommitted: Bool, leaving handlers: inout ReadyHandlers) {
        var isCommitted = isCommitted
        switch value(in: nil, &isCommitted) {
        case .success(let value): resolver.fulfill(value, leaving: &handlers)
        case .failure(let error):
            handlers.handOver()
            resolver.reject(error)
        }
    }

    func store(in transaction: SharedTransaction) -> SharedImport {
        var isCommitted = false
        let result = value(in: transaction, &isCommitted)
        return SharedImport(isCommitted: isCommitted) { handlers in
            handlers.handOver()
            resolver.resolve(with: result)
        }
    }

    /// The value, where it is not stored.
    var made: Result<Value, any Error> {
        var isCommitted = false
        return value(in: nil, &isCommitted)
    }

    private func value(
        in shared: SharedTransaction?, _ isCommitted: inout Bool
    ) -> Result<Value, any Error> {
        guard !resolver.isCancelled else { return .failure(CancellationError()) }
        var hasCommitted = isCommitted
        defer { isCommitted = hasCommitted }
        let arrival = Arrival(
            request: origin.request, response: TransportResponse(head: Self.head, body: part),
            client: origin.client, session: origin.session, shared: shared, trace: nil,
            isCancelled: { [resolver] in resolver.isCancelled },
            onCancel: { [resolver] in resolver.onCancel($0) },
            commit: { [resolver, origin] in
                try origin.client.session.check(origin.session)
                guard hasCommitted || resolver.commit() else { throw CancellationError() }
                hasCommitted = true
            })
        return Result {
            let value = try serializer.serialize(arrival).value
            // What stores nothing has passed no such point.
            if !hasCommitted { try origin.client.session.check(origin.session) }
            return value
        }
    }

    /// What a response would have whose content the part is.
    private static var head: HTTPResponse {
        HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
    }
}
