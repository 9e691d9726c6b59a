import Foundation
import LarderPromises

/// The content of one response as it comes.
final class PartSteps: StreamSteps {
    /// The most bytes of a part of content that has come as a whole.
    static let maximumSize = 256 << 10

    private let call: StreamCall
    let lifetime: StreamLifetime
    private var response: StreamedResponse?
    /// What is left of content that has come as a whole.
    private var rest: Data?

    init(_ call: StreamCall) {
        self.call = call.inSession()
        lifetime = StreamLifetime(of: call)
    }

    func open() async throws { _ = try await opened() }

    func next() async throws -> Data? {
        let response = try await opened()
        let part =
            if let stream = response.stream {
                try await lifetime.part(of: stream, for: response)
            } else {
                takeWhole()
            }
        // It is nobody's any more behind that.
        try response.origin.client.session.check(response.origin.session)
        return part
    }

    /// Stores or decodes a part.
    func value<Value>(of part: Data, _ serializer: ResponseSerializer<Value>) async throws -> Value
    {
        let origin = try await opened().origin
        return try await lifetime.value(of: part, serializer, from: origin)
    }

    /// An error with what was asked and what came back.
    func completed(_ error: any Error) -> any Error {
        response?.origin.completed(error) ?? error
    }

    private func opened() async throws -> StreamedResponse {
        if let response { return response }
        let opened = try await lifetime.value { call.open() }
        if let whole = opened.whole, whole.count > call.maximumSize {
            throw opened.origin.completed(
                TransportError.limitExceeded("The content exceeds \(call.maximumSize) bytes."))
        }
        try lifetime.note(opened)
        response = opened
        rest = opened.whole
        return opened
    }

    private func takeWhole() -> Data? {
        guard let rest, !rest.isEmpty else { return nil }
        self.rest = rest.dropFirst(Self.maximumSize)
        return rest.prefix(Self.maximumSize)
    }
}
