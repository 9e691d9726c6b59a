import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// A response that validators have accepted, whose content is still to come, or has come as a whole where a transport
/// can't do otherwise.
struct StreamedResponse: Sendable {
    let origin: StreamOrigin
    private let content: TransportResponse.Content
    private let redirects: [String]

    init(_ arrival: Arrival) {
        origin = StreamOrigin(
            request: arrival.request, head: arrival.response.head, client: arrival.client,
            session: arrival.session)
        content = arrival.response.content
        redirects = arrival.response.redirects
    }

    /// Its status and header fields, and where it comes from.
    var withoutContent: Response<Void> {
        Response(
            (), status: head.status, headerFields: head.headerFields,
            url: URL(reference: origin.request.urlText),
            redirects: redirects.compactMap { URL(reference: $0) })
    }

    var head: HTTPResponse { origin.head }

    /// The content that is to come.
    var stream: ContentStream? { content.stream }

    /// The content that is there.
    var whole: Data? { content.unwritten }
}

extension StreamedResponse: StreamedValue {
    func tellEnd(_ tell: @escaping @Sendable (RequestEvent.Kind) -> Void) {
        guard let stream else { return tell(.fulfilled((), ImportReport())) }
        stream.onEnd { [origin] outcome in
            switch outcome {
            case .success: tell(.fulfilled((), ImportReport()))
            case .failure(let error) where error.reason == .cancelled:
                // Whoever can make nothing of a part gives up the rest.
                tell(origin.ended.map { .failed($0) } ?? .cancelled)
            case .failure(let error): tell(.failed(origin.completed(error)))
            }
        }
    }
}

/// The exchange that parts come from.
struct StreamOrigin: Sendable {
    let request: TransportRequest
    let head: HTTPResponse
    let client: Client
    /// The session that it is of.
    let session: Int
    /// The error that its parts have ended in.
    private let failure = StreamFailure()

    /// The error that its parts have ended in, if they have.
    var ended: ClientError? { failure.error.withLock(\.self) }

    private var redaction: Redaction {
        client.configuration.redaction.adding(request.secretNames)
    }

    /// Adds to an error what was asked and what came back; what parts end in is logged once.
    ///
    /// - Parameter part: The part that it is about.
    func completed(_ error: any Error, part: Data? = nil) -> any Error {
        var complete: ClientError
        switch error {
        case let error as TransportError where error.reason == .cancelled:
            return CancellationError()
        case let error as TransportError: complete = ClientError(.transport, underlying: error)
        case let error as ClientError where error.url == nil: complete = error
        default: return error
        }
        complete.method = request.head.method
        complete.url = redaction.url(request.urlText)
        complete.status = head.status
        complete.headerFields = head.headerFields
        complete.body = part
        complete.redaction = redaction
        if failure.isFirst(complete) {
            client.log(request) { "failed: \(redaction.text(of: complete)) from \($0)" }
        }
        return complete
    }
}

/// The first error of a stream's parts.
private final class StreamFailure: Sendable {
    let error = Guarded<ClientError?>(nil)

    /// Keeps an error, unless there is one before it.
    func isFirst(_ error: ClientError) -> Bool {
        self.error.withLock { first in
            defer { first = first ?? error }
            return first == nil
        }
    }
}
