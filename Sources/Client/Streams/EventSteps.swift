import Foundation
import HTTPTypes
import LarderPromises

/// The events of a server, over one connection after the other.
final class EventSteps: StreamSteps {
    private let call: StreamCall
    private let reconnection: Reconnection
    private let asked: AskedRequest
    let lifetime: StreamLifetime
    private let maximumEventSize: Int
    private var parser: ServerSentEventParser
    private var response: StreamedResponse?
    /// Whether content that has come as a whole has been read.
    private var isRead = false
    /// The events that are there, from `place` on.
    private var events: [ServerSentEvent] = []
    private var place = 0
    /// What is thrown behind them.
    private var failure: (any Error)?
    /// The attempts in a row that have brought no event, this one not among them.
    private var failures = 0
    private var retryTime: Duration?
    /// Whether the server has said that nothing more will come.
    private var isOver = false

    init(
        _ call: StreamCall, after lastEventID: String, _ reconnection: Reconnection,
        maximumEventSize: Int
    ) {
        (self.call, self.reconnection) = (call.inSession(), reconnection)
        asked = AskedRequest(isOfAny: reconnection.isOfAnyRequest, by: call.endpoint.method)
        self.maximumEventSize = maximumEventSize
        lifetime = StreamLifetime(of: call)
        parser = ServerSentEventParser(lastEventID: lastEventID, maximumSize: maximumEventSize)
    }

    func open() async throws { _ = try await opened() }

    func next() async throws -> ServerSentEvent? {
        while true {
            if place < events.count {
                place += 1
                return events[place - 1]
            }
            if let failure { throw failure }
            events.removeAll(keepingCapacity: true)
            place = 0
            guard let response = try await opened() else { return nil }
            guard try await read(response) else { return nil }
        }
    }

    /// Decodes or stores the data of an event.
    func value<Value>(
        of event: ServerSentEvent, _ serializer: ResponseSerializer<Value>
    ) async throws -> Value? {
        guard let response else { return nil }
        return try await lifetime.value(
            of: Data(event.data.utf8), serializer, from: response.origin)
    }

    // MARK: - Connections

    /// The response that there is, or the next one; nil where there is to be none.
    private func opened() async throws -> StreamedResponse? {
        while !isOver {
            if let response { return response }
            let opened: StreamedResponse
            do {
                opened = try await lifetime.value {
                    call.open(after: parser.lastEventID) { [asked] in asked.taking($0) }
                }
                // The server has nothing more to say.
                isOver = opened.head.status == .noContent
                if !isOver { try check(opened) }
            } catch let error as ClientError where error.isOfStatus(.noContent) {
                // Nor where validators would have a word of it.
                isOver = true
                return nil
            } catch {
                guard let wait = wait(after: error), try await waitForNext(wait) else {
                    throw error
                }
                continue
            }
            try lifetime.note(opened)
            guard !isOver else { return nil }
            parser = ServerSentEventParser(
                lastEventID: parser.lastEventID, maximumSize: maximumEventSize)
            (response, isRead) = (opened, false)
        }
        return nil
    }

    private func check(_ response: StreamedResponse) throws {
        guard response.head.status == .ok else {
            throw response.origin.completed(ClientError(.unacceptableStatus))
        }
        let type = MediaRange(response.head.headerFields[.contentType] ?? "")
        guard MediaRange("text/event-stream").contains(type) else {
            throw response.origin.completed(ClientError(.unacceptableContentType))
        }
    }

    /// Reads what comes next, or waits for the time of the next connection; false where there is to be none.
    private func read(_ response: StreamedResponse) async throws -> Bool {
        let part: Data?
        do {
            part = try await nextPart(of: response)
        } catch {
            self.response = nil
            guard let wait = wait(after: error), try await waitForNext(wait) else {
                throw error
            }
            return true
        }
        guard let part else {
            self.response = nil
            return try await waitForNext(.zero)
        }
        do {
            try parser.parse(part, into: &events)
        } catch {
            failure = response.origin.completed(error)
        }
        retryTime = parser.reconnectionTime ?? retryTime
        if !events.isEmpty { failures = 0 }
        return true
    }

    private func nextPart(of response: StreamedResponse) async throws -> Data? {
        if let stream = response.stream {
            let part = try await lifetime.part(of: stream, for: response)
            // It is nobody's any more behind that.
            try response.origin.client.session.check(response.origin.session)
            return part
        }
        defer { isRead = true }
        return isRead ? nil : response.whole
    }

    /// Waits for the time of the next connection; false where there is to be none.
    private func waitForNext(_ leastWait: Duration) async throws -> Bool {
        guard failures < reconnection.attempts,
            asked.mayBeSentAgain
        else { return false }
        failures += 1
        let time = max(retryTime ?? reconnection.time, Reconnection.shortestTime)
        // After an event, nothing has failed.
        let backoff = failures > 1 ? reconnection.backoff.duration(after: failures - 1) : .zero
        let wait = max(time, backoff, leastWait)
        try await lifetime.value { reconnection.delay(wait) }
        return true
    }

    /// The time that has to pass after an error at least; nil where it is for good.
    private func wait(after error: any Error) -> Duration? {
        guard let error = error as? ClientError else { return nil }
        if error.reason == .unacceptableStatus || error.reason == .refused {
            guard let code = error.status?.code,
                RetryInterceptor.passingStatuses.contains(code) || code == 500
            else { return nil }
            let field = error.headerFields?[.retryAfter]
            let wait = field.flatMap { RetryAfter.duration($0, at: reconnection.date()) } ?? .zero
            return min(wait, ServerSentEventParser.longestRetry)
        }
        switch (error.underlying as? TransportError)?.reason {
        case .timedOut?, .connectionLost?, .truncatedBody?, .cannotConnect?, .cannotFindHost?,
            .offline?:
            return .zero
        default: return nil
        }
    }
}

extension ClientError {
    /// Whether validators have refused a response for its status.
    fileprivate func isOfStatus(_ status: HTTPResponse.Status) -> Bool {
        self.status == status && (reason == .unacceptableStatus || reason == .refused)
    }
}

/// What events are asked for by: one request, over each connection.
private final class AskedRequest: Sendable {
    private struct State {
        var mayBeSentAgain: Bool
        /// The key by which the server knows it.
        var key: String?
    }

    /// Whether any request may be sent again.
    private let isOfAny: Bool
    private let state: Guarded<State>

    /// - Parameter method: The method, as far as nothing has been asked.
    init(isOfAny: Bool, by method: HTTPRequest.Method) {
        self.isOfAny = isOfAny
        state = Guarded(State(mayBeSentAgain: method.isIdempotent))
    }

    var mayBeSentAgain: Bool { isOfAny || state.withLock(\.mayBeSentAgain) }

    /// Takes a request that is about to be sent, and returns it with the key that the first one had: another one each
    /// time would tell the server nothing.
    func taking(_ request: TransportRequest) -> TransportRequest {
        guard !isOfAny else { return request }
        guard !request.isIdempotent, request.addedKey == nil,
            let name = HTTPField.Name.idempotencyKey, let key = request.head.headerFields[name]
        else {
            let mayBe = request.isIdempotent
            state.withLock { $0.mayBeSentAgain = mayBe }
            return request
        }
        let first = state.withLock { state in
            state.mayBeSentAgain = true
            state.key = state.key ?? key
            return state.key
        }
        var request = request
        request.head.headerFields[name] = first
        return request
    }
}

/// Values that are made of the data of events.
final class EventValueSteps<Value: Sendable, Element: Sendable>: StreamSteps {
    private let events: EventSteps
    /// The names of those that are values, nil where all are.
    private let names: Set<String>?
    private let serializer: ResponseSerializer<Value>
    private let element: (ServerSentEvent, Value) -> Element

    /// - Parameter element: Makes what is handed over of an event and its value.
    init(
        _ events: EventSteps, named names: Set<String>?, _ serializer: ResponseSerializer<Value>,
        _ element: @escaping (ServerSentEvent, Value) -> Element
    ) {
        (self.events, self.names) = (events, names)
        (self.serializer, self.element) = (serializer, element)
    }

    var lifetime: StreamLifetime { events.lifetime }

    func open() async throws { try await events.open() }

    func next() async throws -> Element? {
        while let event = try await events.next() {
            if let names, !names.contains(event.event) { continue }
            guard let value = try await events.value(of: event, serializer) else { return nil }
            return element(event, value)
        }
        return nil
    }
}
