import Foundation
import LarderPromises

/// The content of a response between the transport that receives it and the one who reads it.
///
/// It holds what has come and nobody has read. Once that is more than its capacity, the transport is to stop
/// receiving until it has been read, so that the server can send no more.
final class ContentPipe: ContentWriter {
    /// The number of bytes above which no more are received: what is gathered in one turn of the transport's, a block at
    /// most (``ContentBlocks``), or what one read comes to, decoded, is held beyond it.
    static let capacity = 128 << 10

    /// The most bytes that are joined to one part.
    private static let joinedCount = 64 << 10

    typealias Outcome = Result<Void, TransportError>
    private typealias Reader = CheckedContinuation<Result<Data?, TransportError>, Never>

    private struct State {
        /// What has come and has not been read, in order.
        var held: [Data] = []
        /// The number of those bytes.
        var heldCount = 0
        /// The number of bytes that have come.
        var total = 0
        /// Whether the transport waits for its reader.
        var isPaused = false
        /// What its reader gets behind what is held.
        var end: Outcome?
        /// How the transfer ended.
        var outcome: Outcome?
        /// Who waits for what comes next.
        var reader: Reader?
        var onEnd: [@Sendable (Outcome) -> Void] = []
        var (resume, stop): ((@Sendable () -> Void)?, (@Sendable () -> Void)?)

        /// Holds bytes behind the others: small ones together, large ones as they are, without a copy.
        mutating func hold(_ bytes: Data) {
            heldCount += bytes.count
            if let last = held.indices.last,
                held[last].count + bytes.count <= ContentPipe.joinedCount
            {
                held[last].append(bytes)
            } else {
                held.append(bytes)
            }
        }

        /// Takes the first of what is held, and whether there is room again for a transport that waits for it.
        mutating func takeFirst() -> (Data, isToResume: Bool)? {
            guard !held.isEmpty else { return nil }
            let bytes = held.removeFirst()
            heldCount -= bytes.count
            guard isPaused, heldCount < ContentPipe.capacity / 2 else { return (bytes, false) }
            isPaused = false
            return (bytes, true)
        }
    }

    private let maximumCount: Int
    private let state = Guarded(State())

    init(maximumCount: Int = .max) {
        self.maximumCount = maximumCount
    }

    // MARK: - For the transport

    /// Takes the ways to have the transport go on receiving, and to have it give up.
    func attach(
        resume: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void
    ) {
        state.withLock { ($0.resume, $0.stop) = (resume, stop) }
    }

    /// Whether nothing more is to be received for now; the transport is told when it is.
    func pauseIfFull() -> Bool {
        state.withLock { state in
            guard state.heldCount >= Self.capacity, state.end == nil else { return false }
            state.isPaused = true
            return true
        }
    }

    static var keepsBytes: Bool { true }

    func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        try append(Data(bytes))
    }

    func append(_ bytes: Data) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        let (isTooMuch, reader) = state.withLock { state -> (Bool, Reader?) in
            guard bytes.count <= maximumCount - state.total else { return (true, nil) }
            state.total += bytes.count
            // Nobody reads what has been given up.
            guard state.end == nil else { return (false, nil) }
            if state.reader == nil { state.hold(bytes) }
            return (false, state.reader.take())
        }
        guard !isTooMuch else {
            throw .limitExceeded("The content exceeds \(maximumCount) bytes.")
        }
        reader?.resume(returning: .success(bytes))
    }

    /// Ends it, once.
    func finish(_ outcome: Outcome) {
        let (reader, end, observers, kept) = state.withLock { state in
            let end = state.end ?? outcome
            (state.end, state.outcome) = (end, outcome)
            // They keep the exchange, which keeps this.
            let kept = (state.resume.take(), state.stop.take())
            defer { state.onEnd = [] }
            return (state.reader.take(), end, state.onEnd, kept)
        }
        withExtendedLifetime(kept) {}
        reader?.resume(returning: end.map { nil })
        for observer in observers { observer(outcome) }
    }

    // MARK: - For the reader

    /// Returns what has come, as soon as something has; nil at the end.
    ///
    /// Cancelling the task gives it up.
    func next() async throws(TransportError) -> Data? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { take(for: $0) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func take(for reader: Reader) {
        let (result, resume) = state.withLock {
            state -> (Result<Data?, TransportError>?, (@Sendable () -> Void)?) in
            if let (bytes, isToResume) = state.takeFirst() {
                return (.success(bytes), isToResume ? state.resume : nil)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            state.reader = reader
            return (nil, nil)
        }
        resume?()
        if let result { reader.resume(returning: result) }
    }

    /// Gives up what is still to come, and what has not been read; without effect once all has come.
    func cancel() {
        let (reader, stop) = state.withLock { state -> (Reader?, (@Sendable () -> Void)?) in
            guard state.end == nil else { return (nil, nil) }
            state.end = .failure(.cancelled)
            (state.held, state.heldCount) = ([], 0)
            return (state.reader.take(), state.stop)
        }
        reader?.resume(returning: .failure(.cancelled))
        stop?()
    }

    /// Takes what is told how the transfer ends, on the transport's thread, or at once where it has; it must not
    /// keep its reader's stream.
    func onEnd(_ body: @escaping @Sendable (Outcome) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.onEnd.append(body) }
            return state.outcome
        }
        if let outcome { body(outcome) }
    }
}

/// The reader's end of a response's content; once nobody has it any more, the transfer is given up.
final class ContentStream: Sendable {
    private let pipe: ContentPipe

    init(_ pipe: ContentPipe) {
        self.pipe = pipe
    }

    deinit { pipe.cancel() }

    /// Returns what has come, as soon as something has; nil at the end.
    func next() async throws(TransportError) -> Data? { try await pipe.next() }

    /// Gives up what is still to come.
    func cancel() { pipe.cancel() }

    /// Takes what is told how the transfer ends; it must not keep this.
    func onEnd(_ body: @escaping @Sendable (ContentPipe.Outcome) -> Void) { pipe.onEnd(body) }
}
