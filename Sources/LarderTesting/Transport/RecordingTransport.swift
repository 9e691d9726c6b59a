import HTTPTypes
public import LarderClient
import LarderPromises

/// A transport that has another one do the work, and records it.
///
/// What is secret by a ``Redaction`` is not recorded: of requests, the header fields and the values of query items; of
/// responses, the header fields, and the values of query items where they lead to other places. **Contents are recorded as they are**, so that a log-in belongs to a test account, or
/// is taken out of the ``recording`` before that is written. What was cancelled, or is still under way, is left out.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let redaction: Redaction
    /// A place for each exchange, in the order in which they were begun.
    private let exchanges = Guarded<[Recording.Exchange?]>([])

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that does the work.
    ///   - redaction: What is secret; a stub that plays the recording back needs the same.
    public init(through transport: any Transport, redaction: Redaction = Redaction()) {
        self.transport = transport
        self.redaction = redaction
    }

    /// The exchanges so far that have ended.
    public var recording: Recording {
        Recording(exchanges.withLock { $0.compactMap(\.self) })
    }

    /// Starts an exchange of the other transport.
    @discardableResult
    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let place = exchanges.withLock { exchanges in
            exchanges.append(nil)
            return exchanges.count - 1
        }
        let redaction = redaction.adding(request.secretNames)
        let recorded = Recording.Request(request, redaction: redaction)
        // What would be read as it comes could not be recorded.
        return transport.send(request.gathered) { result in
            // Before whoever waits for it looks at the recording.
            if let outcome = Recording.Outcome(result, redaction: redaction) {
                let exchange = Recording.Exchange(request: recorded, outcome: outcome)
                self.exchanges.withLock { $0[place] = exchange }
            }
            completion(result)
        }
    }
}

extension Recording.Outcome {
    /// Takes what is to be recorded of an outcome; nil where that is nothing.
    fileprivate init?(
        _ result: Result<TransportResponse, TransportError>, redaction: Redaction
    ) {
        switch result {
        case .success(let response):
            var head = response.head
            head.headerFields = HTTPFields(
                head.headerFields.filter { !redaction.isSecret($0.name) }
                    .map { HTTPField(name: $0.name, value: redaction.recorded($0)) })
            self = .response(head, body: response.body)
        case .failure(let error):
            guard error.reason != .cancelled else { return nil }
            // A message may quote a URL.
            var error = error
            error.message = redaction.text(error.message)
            self = .failure(error)
        }
    }
}

extension Redaction {
    /// The value of a response's header field as whoever it is played back to needs it.
    fileprivate func recorded(_ field: HTTPField) -> String {
        switch field.name.canonicalName {
        case "location", "content-location": url(field.value)
        // A cursor is asked for as it stands.
        case "next-page", "x-next-page":
            field.value.hasPrefix("/") || field.value.hasPrefix("?") || field.value.contains("://")
                ? url(field.value) : text(field.value, upTo: .max)
        case "link": links(field.value)
        default: text(field.value, upTo: .max)
        }
    }

    /// Each target by itself: as text, none has a clear end.
    private func links(_ value: String) -> String {
        var (recorded, rest) = ("", value[...])
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            recorded += text(String(rest[..<start]), upTo: .max)
            recorded += "<\(url(String(rest[start..<end].dropFirst())))>"
            rest = rest[end...].dropFirst()
        }
        return recorded + text(String(rest), upTo: .max)
    }
}
