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

    /// The parts of one response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil once there is nothing more.
        var steps: (any StreamSteps<Element>)?

        /// Returns the next part, as soon as it is there; nil at the end.
        public mutating func next() async throws -> Element? {
            guard let steps else { return nil }
            do {
                if let element = try await steps.next() { return element }
            } catch {
                self.steps = nil
                throw error
            }
            self.steps = nil
            return nil
        }
    }
}

/// What gives one part of a stream after the other; asked by one, and for nothing more after an end or an error.
protocol StreamSteps<Element>: AnyObject {
    associatedtype Element: Sendable

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
