public import Foundation

/// The parts of a response, one after the other, as they come.
///
/// ```swift
/// for try await line in client.stream(.get("log")).lines() { print(line) }
/// ```
///
/// The request is sent once somebody asks for the first part, and again for each who iterates. What has come and
/// nobody has asked for is held, up to 128 KiB; a server that sends more has to wait, and the idle timeout does not
/// count that. Leaving the loop, or cancelling its task, closes the connection at once.
///
/// What goes wrong is thrown in place of the part that is missing: a ``ClientError``, `CancellationError` once
/// cancelled, or what an interceptor threw. A response that is cut off ends with
/// ``TransportError/Reason/truncatedBody`` or ``TransportError/Reason/connectionLost``, not as if it were whole; as
/// far as the server has said where it ends.
public struct ResponseStream<Element: Sendable>: AsyncSequence, Sendable {
    let begin: @Sendable () -> any StreamSteps<Element>

    /// Begins to ask.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(steps: begin())
    }

    /// The same parts, with each response seen before them, as soon as its head is there.
    ///
    /// ```swift
    /// let lines = client.stream(.get("log")).onResponse { print($0.headerFields) }.lines()
    /// ```
    ///
    /// Streams of events have a response for each of their connections.
    ///
    /// - Parameter body: Called by whoever asks for parts; what it throws is thrown in their place, and closes the
    ///   connection.
    public func onResponse(
        _ body: @escaping @Sendable (Response<Void>) throws -> Void
    ) -> ResponseStream {
        ResponseStream { [begin] in
            let steps = begin()
            steps.lifetime.onResponse(body)
            return steps
        }
    }

    /// The parts of one response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil once there is nothing more.
        var steps: (any StreamSteps<Element>)?
        /// The response that came last, once there is nothing more.
        private var last: Response<Void>?

        init(steps: any StreamSteps<Element>) {
            self.steps = steps
        }

        /// Returns the next part, as soon as it is there; nil at the end.
        public mutating func next() async throws -> Element? {
            try await step { try await $0.next() }
        }

        /// Returns the status and the header fields of the response, as soon as they are there, be it before its first
        /// part; nil where all has ended without one.
        ///
        /// Of a stream of events, it is that of the connection that there is, or the next one, and the last one's in
        /// the end.
        public mutating func response() async throws -> Response<Void>? {
            _ = try await step { try await $0.open() }
            return steps?.lifetime.response ?? last
        }

        /// Does one thing, and lets go of the rest where it ends in nothing or an error.
        private mutating func step<Result>(
            _ work: (any StreamSteps<Element>) async throws -> Result?
        ) async throws -> Result? {
            guard let steps else { return nil }
            var isOver = true
            defer {
                if isOver {
                    last = steps.lifetime.response
                    self.steps = nil
                }
            }
            try steps.lifetime.checkCancellation()
            let result = try await work(steps)
            isOver = result == nil
            return result
        }
    }
}

/// What gives one part of a stream after the other; asked by one, and for nothing more after an end or an error.
protocol StreamSteps<Element>: AnyObject {
    associatedtype Element: Sendable

    /// What it waits for, and can be given up by.
    var lifetime: StreamLifetime { get }

    /// Asks, unless it has, and waits for the head of a response.
    func open() async throws

    /// Returns the next part, nil at the end.
    func next() async throws -> Element?
}

extension ResponseStream where Element == Data {
    /// The lines of text, without the LF or CR LF that ends them; what isn't UTF-8 is replaced.
    ///
    /// - Parameter maximumSize: The most bytes of a line; one that is longer is
    ///   ``TransportError/Reason/limitExceeded``.
    public func lines(maximumSize: Int = 1 << 20) -> ResponseStream<String> {
        ResponseStream<String> { [begin] in
            LineSteps(begin(), maximumSize: maximumSize) { line in
                String(decoding: line, as: UTF8.self)
            }
        }
    }
}
