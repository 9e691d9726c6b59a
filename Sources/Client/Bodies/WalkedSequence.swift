import Foundation
import LarderPromises

/// A sequence that bodies are made of, and what its walks have brought, whichever of them those were for.
///
/// An endpoint that computes its body makes another one of the same stream each time that it is enqueued.
final class WalkedSequence: Sendable {
    private let walks = Guarded(StreamWalks())
    /// Whether each element leaves it once, so that what one walk has had no other one has.
    private let isBuffered: Bool

    /// Safe to be sent as nothing of the buffer is used but which one it is.
    private struct Entry: @unchecked Sendable {
        weak var buffer: AnyObject?
        let sequence: WalkedSequence
    }

    /// The streams that there are, by their buffers.
    private static let known = Guarded<[ObjectIdentifier: Entry]>([:])

    private init(isBuffered: Bool) { self.isBuffered = isBuffered }

    /// That of a sequence: the same one for copies of a stream, another one for whatever can't be told from its like.
    static func of(_ source: some AsyncSequence) -> WalkedSequence {
        guard let buffer = buffer(of: source) else { return WalkedSequence(isBuffered: false) }
        let entry = Entry(buffer: buffer, sequence: WalkedSequence(isBuffered: true))
        return known.withLock { known in
            // Another one may have the place of one that has gone.
            known = known.filter { $0.value.buffer != nil }
            let identifier = ObjectIdentifier(buffer)
            if let entry = known[identifier] { return entry.sequence }
            known[identifier] = entry
            return entry.sequence
        }
    }

    /// Walks it once, and hands over what that has brought.
    ///
    /// - Parameter body: Walks it, and returns its content with the error by which the walk has ended early.
    func walking(
        _ body: () async -> (content: Result<Data, any Error>, failure: (any Error)?)
    ) async throws -> Data {
        if isBuffered, !walks.withLock({ $0.begin() }) {
            throw TransportError.invalidRequest(
                "Another request has the stream's elements, which can be walked once.")
        }
        let (content, failure) = await body()
        if let failure {
            walks.withLock { $0.end(partly: (try? content.get()) ?? Data()) }
            throw failure
        }
        let whole = try content.get()
        if let problem = walks.withLock({ $0.problem(of: whole) }) {
            throw TransportError.invalidRequest(problem)
        }
        return whole
    }

    /// The buffer of a stream, or of the one that a sequence takes all of its elements from, which its copies share;
    /// nil for any other sequence.
    private static func buffer(of source: Any) -> AnyObject? {
        let mirror = Mirror(reflecting: source)
        if source is any BufferedSequence {
            guard let buffer = mirror.descendant("context"), type(of: buffer) is AnyClass else {
                return nil
            }
            return buffer as AnyObject
        }
        guard source is any DerivedSequence else { return nil }
        return mirror.descendant("base").flatMap(buffer)
    }
}

/// A sequence whose elements wait in a buffer, which each of them leaves once.
private protocol BufferedSequence {}

extension AsyncStream: BufferedSequence {}
extension AsyncThrowingStream: BufferedSequence {}

/// A sequence that makes its elements of all those of another.
private protocol DerivedSequence {}

extension AsyncMapSequence: DerivedSequence {}
extension AsyncThrowingMapSequence: DerivedSequence {}
extension AsyncCompactMapSequence: DerivedSequence {}
extension AsyncThrowingCompactMapSequence: DerivedSequence {}
extension AsyncFilterSequence: DerivedSequence {}
extension AsyncThrowingFilterSequence: DerivedSequence {}
