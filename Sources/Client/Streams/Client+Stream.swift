public import Foundation
public import LarderObjectStore

extension Client {
    /// Asks an endpoint for its content as it comes.
    ///
    /// ```swift
    /// for try await data in client.stream(.get("recordings/1")) { player.add(data) }
    /// ```
    ///
    /// The request goes the way of all others: through interceptors, the client's queue, where it keeps its turn to
    /// its end, redirects and validators, which see a response without content, unless its status is none of
    /// 200 to 299; it is one of the ``requestsInFlight`` for as long as it is read. What is sent again is so before
    /// its first byte. It is never coalesced, and processors have no part in it.
    ///
    /// An endpoint that names no timeout has no bound on the whole, but the client's timeout as bound on silence.
    /// A transport that knows of no streams, as those in tests, hands the content over once all of it is there,
    /// within the client's limits. libcurl below 8.14 asks by HTTP/1.1, as over HTTP/2 one who
    /// doesn't read would hold up all others there.
    ///
    /// - Parameter maximumSize: The most bytes of content, decoded; any number unless set.
    public func stream(
        _ endpoint: some Endpoint, maximumSize: Int = .max,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<Data> {
        let call = StreamCall(
            endpoint, of: self, maximumSize: maximumSize, fileID: fileID, line: line)
        return ResponseStream { PartSteps(call) }
    }

    /// Asks an endpoint for lines of JSON (NDJSON), each of which is stored in a transaction of its own before it is
    /// handed over.
    ///
    /// ```swift
    /// for try await note in client.stream(.get("notes/export"), as: Note.self) { print(note.title) }
    /// ```
    ///
    /// Blank lines are passed over. What has been stored stays where a later line fails.
    ///
    /// - Parameters:
    ///   - maximumLineSize: The most bytes of a line; one that is longer is ``TransportError/Reason/limitExceeded``.
    ///   - maximumSize: The most bytes of content, decoded; any number unless set.
    public func stream<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type,
        maximumLineSize: Int = 1 << 20, maximumSize: Int = .max,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<Value> {
        let call = StreamCall(
            endpoint, of: self, accepting: Self.lineTypes, maximumSize: maximumSize,
            fileID: fileID, line: line)
        return Self.values(of: call, .stored(), maximumLineSize: maximumLineSize)
    }

    /// Asks an endpoint for lines of JSON (NDJSON), each of which is decoded; nothing is stored.
    ///
    /// Blank lines are passed over. An entity or a wrapper that generic code knows only as `Decodable` is stored
    /// all the same.
    ///
    /// - Parameters:
    ///   - maximumLineSize: The most bytes of a line; one that is longer is ``TransportError/Reason/limitExceeded``.
    ///   - maximumSize: The most bytes of content, decoded; any number unless set.
    @_disfavoredOverload  // A wrapper is importable too, and is to be stored.
    public func stream<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type,
        maximumLineSize: Int = 1 << 20, maximumSize: Int = .max,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResponseStream<Value> {
        let call = StreamCall(
            endpoint, of: self, accepting: Self.lineTypes, maximumSize: maximumSize,
            fileID: fileID, line: line)
        return Self.values(of: call, .decoded(), maximumLineSize: maximumLineSize)
    }

    private static var lineTypes: String { "application/x-ndjson, application/json;q=0.9" }

    private static func values<Value>(
        of call: StreamCall, _ serializer: ResponseSerializer<Value>, maximumLineSize: Int
    ) -> ResponseStream<Value> {
        ResponseStream {
            let parts = PartSteps(call)
            return LineSteps(parts, maximumSize: maximumLineSize) { line in
                // A CR is left where the content ends before its LF.
                guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return nil }
                return try await parts.value(of: line, serializer)
            }
        }
    }
}
