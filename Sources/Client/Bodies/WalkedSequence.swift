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

        /// Whether it is that of the object that is there by now.
        func isOf(_ identifier: ObjectIdentifier) -> Bool {
            buffer.map { ObjectIdentifier($0) == identifier } ?? false
        }
    }

    /// The streams that there are, by their buffers.
    private struct Known {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of them at which those are looked for that have gone.
        var limit = 64
    }

    /// Safe to be sent as nothing is done with it but to let it go, which a stream takes on any thread.
    private struct Loaded: @unchecked Sendable {
        let buffer: AnyObject
    }

    private static let known = Guarded(Known())

    private init(isBuffered: Bool) { self.isBuffered = isBuffered }

    /// That of a sequence: the same one for copies of a stream, another one for whatever can't be told from its like.
    static func of(_ source: some AsyncSequence) -> WalkedSequence {
        guard let buffer = buffer(of: source) else { return WalkedSequence(isBuffered: false) }
        let entry = Entry(buffer: buffer, sequence: WalkedSequence(isBuffered: true))
        let identifier = ObjectIdentifier(buffer)
        let (sequence, loaded) = known.withLock { known -> (WalkedSequence, [Loaded]) in
            var loaded: [Loaded] = []
            if known.entries.count >= known.limit {
                for (identifier, entry) in known.entries {
                    if let buffer = entry.buffer {
                        loaded.append(Loaded(buffer: buffer))
                    } else {
                        known.entries[identifier] = nil
                    }
                }
                known.limit = max(64, 2 * known.entries.count)
            }
            // Another one may have had the place, and have gone.
            if let entry = known.entries[identifier], entry.isOf(identifier) {
                return (entry.sequence, loaded)
            }
            known.entries[identifier] = entry
            return (entry.sequence, loaded)
        }
        // Behind the lock: where the last reference is the one taken here, the app is told of its stream's end.
        withExtendedLifetime(loaded) {}
        return sequence
    }

    /// Walks it once, and hands over what that has brought.
    ///
    /// - Parameter body: Walks it, and returns its content with the error by which the walk has ended early.
    func walking(
        _ body: () async -> (content: Result<Data, any Error>, failure: (any Error)?)
    ) async throws -> Data {
        if isBuffered, let problem = walks.withLock({ $0.begin() }) {
            throw TransportError.invalidRequest(problem)
        }
        let (content, failure) = await body()
        let whole: Data
        do {
            if let failure { throw failure }
            whole = try content.get()
        } catch {
            walks.withLock { $0.end(partly: (try? content.get()) ?? Data()) }
            throw error
        }
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
extension AsyncFlatMapSequence: DerivedSequence {}
extension AsyncThrowingFlatMapSequence: DerivedSequence {}
extension AsyncFilterSequence: DerivedSequence {}
extension AsyncThrowingFilterSequence: DerivedSequence {}
extension AsyncDropFirstSequence: DerivedSequence {}
extension AsyncDropWhileSequence: DerivedSequence {}
extension AsyncThrowingDropWhileSequence: DerivedSequence {}
