public import LarderObjectStore

extension Client {
    /// Asks an endpoint for the events that its server sends (WHATWG HTML, section 9.2), over as many connections as
    /// it takes.
    ///
    /// ```swift
    /// for try await event in client.events(.get("feed")) { print(event.event, event.data) }
    /// ```
    ///
    /// Where a connection ends, be it by the client's idle timeout, the next one is made after the time that the
    /// server has set, later where one after the other brings no event, and begins behind the last event
    /// (`Last-Event-ID`). Each goes the way of all requests, and so has the credential of its moment.
    /// Status 204 ends the stream; another one than 200, and content of another type than `text/event-stream`, are
    /// errors, but for 500 and the ``RetryInterceptor/passingStatuses``, which are waited out. For the rest, it is
    /// as ``stream(_:maximumSize:fileID:line:)`` says.
    ///
    /// A request that must not be sent twice, such as the POST that asks for a completion, is sent once, unless
    /// rules are given: its stream ends with its connection, or fails with it. One with an `Idempotency-Key` of the
    /// endpoint's own is sent again as a GET is.
    ///
    /// - Parameters:
    ///   - lastEventID: The id of the event that the first one is to follow.
    ///   - reconnection: The rules by which connections follow one another.
    ///   - maximumEventSize: The most bytes of an event's lines; one that is larger is
    ///     ``TransportError/Reason/limitExceeded``.
    public func events(
        _ endpoint: some Endpoint, after lastEventID: String = "",
        reconnection: Reconnection = .automatic, maximumEventSize: Int = 1 << 20,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<ServerSentEvent> {
        let call = eventCall(endpoint, fileID, line)
        return ResponseStream {
            EventSteps(
                call, after: lastEventID, reconnection, maximumEventSize: maximumEventSize)
        }
    }

    /// Asks an endpoint for events whose data is JSON, each of which is stored in a transaction of its own before it
    /// is handed over.
    ///
    /// ```swift
    /// for try await note in client.events(.get("notes/changes"), as: Note.self) { print(note.title) }
    /// ```
    ///
    /// - Parameters:
    ///   - names: The names (``ServerSentEvent/event``) of those that are values, as others are passed by; all of them
    ///     unless given. Data that does not fit ends the stream.
    ///   - lastEventID: The id of the event that the first one is to follow.
    ///   - reconnection: The rules by which connections follow one another.
    ///   - maximumEventSize: The most bytes of an event's lines; one that is larger is
    ///     ``TransportError/Reason/limitExceeded``.
    public func events<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type, named names: Set<String>? = nil,
        after lastEventID: String = "", reconnection: Reconnection = .automatic,
        maximumEventSize: Int = 1 << 20, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<Value> {
        events(
            endpoint, named: names, after: lastEventID, reconnection, maximumEventSize, .stored(),
            fileID, line
        ) { _, value in value }
    }

    /// Asks an endpoint for events whose data is JSON, each of which is decoded; nothing is stored.
    ///
    /// `String` is the data as it is. An entity or a wrapper that generic code knows only as `Decodable` is stored all
    /// the same.
    ///
    /// The parameters are those of events whose objects alone are handed over.
    @_disfavoredOverload  // A wrapper is importable too, and is to be stored.
    public func events<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type, named names: Set<String>? = nil,
        after lastEventID: String = "", reconnection: Reconnection = .automatic,
        maximumEventSize: Int = 1 << 20, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<Value> {
        events(
            endpoint, named: names, after: lastEventID, reconnection, maximumEventSize, .decoded(),
            fileID, line
        ) { _, value in value }
    }

    /// Asks an endpoint for events whose data is JSON, each of which is stored in a transaction of its own before it
    /// is handed over, along with the event: its id is where a later call goes on.
    ///
    /// ```swift
    /// for try await event in client.events(.get("notes/changes"), as: EventValue<Note>.self, after: last) {
    ///     last = event.id
    /// }
    /// ```
    ///
    /// The parameters are those of events whose objects alone are handed over.
    public func events<Value: Importable>(
        _ endpoint: some Endpoint, as type: EventValue<Value>.Type, named names: Set<String>? = nil,
        after lastEventID: String = "", reconnection: Reconnection = .automatic,
        maximumEventSize: Int = 1 << 20, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<EventValue<Value>> {
        events(
            endpoint, named: names, after: lastEventID, reconnection, maximumEventSize, .stored(),
            fileID, line
        ) { event, value in EventValue(value, of: event) }
    }

    /// Asks an endpoint for events whose data is JSON, each of which is decoded and handed over along with the event;
    /// nothing is stored.
    ///
    /// The parameters are those of events whose objects alone are handed over.
    @_disfavoredOverload  // A wrapper is importable too, and is to be stored.
    public func events<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: EventValue<Value>.Type, named names: Set<String>? = nil,
        after lastEventID: String = "", reconnection: Reconnection = .automatic,
        maximumEventSize: Int = 1 << 20, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<EventValue<Value>> {
        events(
            endpoint, named: names, after: lastEventID, reconnection, maximumEventSize, .decoded(),
            fileID, line
        ) { event, value in EventValue(value, of: event) }
    }

    /// Asks for events, and makes what is handed over of each and of what its data becomes.
    private func events<Value, Element>(
        _ endpoint: some Endpoint, named names: Set<String>?, after lastEventID: String,
        _ reconnection: Reconnection, _ maximumEventSize: Int,
        _ serializer: ResponseSerializer<Value>, _ fileID: StaticString, _ line: UInt,
        _ element: @escaping @Sendable (ServerSentEvent, Value) -> Element
    ) -> ResponseStream<Element> {
        let call = eventCall(endpoint, fileID, line)
        return ResponseStream {
            EventValueSteps(
                EventSteps(
                    call, after: lastEventID, reconnection, maximumEventSize: maximumEventSize),
                named: names, serializer, element)
        }
    }

    private func eventCall(
        _ endpoint: some Endpoint, _ fileID: StaticString, _ line: UInt
    ) -> StreamCall {
        StreamCall(
            endpoint, of: self, accepting: "text/event-stream", maximumSize: .max, fileID: fileID,
            line: line)
    }
}
