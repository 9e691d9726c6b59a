import Foundation

/// What the walks of a sequence have brought, by which one that can be walked once, and has been, is told from others:
/// what is left of it is not to be taken for all of it.
struct StreamWalks: Sendable {
    /// What a walk has brought that did not come to its end.
    private struct Part: Sendable {
        let count: Int
        /// That of as many of its first bytes as are looked at.
        let digest: Int

        func isBeginning(of content: Data) -> Bool {
            content.count >= count && StreamWalks.digest(of: content.prefix(count)) == digest
        }
    }

    /// The most bytes by which a beginning is known.
    private static let mostCompared = 64 << 10

    /// Whether one has brought something, or not come to its end.
    private var isBegun = false
    /// That of the first that did not come to its end, until one that has brings it, too.
    private var part: Part?

    /// Whether one is under way, of a sequence whose elements leave it once.
    private var isUnderWay = false

    /// Begins a walk of a sequence whose elements leave it once; what is wrong where another one has them.
    mutating func begin() -> String? {
        guard !isBegun else { return "The stream was sent before, and can be walked once." }
        guard !isUnderWay else {
            return "Another request has the stream's elements, which can be walked once."
        }
        isUnderWay = true
        return nil
    }

    /// Takes a walk that did not come to its end.
    mutating func end(partly content: Data) {
        (isBegun, isUnderWay) = (true, false)
        guard part == nil, !content.isEmpty else { return }
        part = Part(count: content.count, digest: Self.digest(of: content))
    }

    /// Takes a walk that came to its end; what is wrong where that may not be all of the sequence.
    mutating func problem(of content: Data) -> String? {
        isUnderWay = false
        guard !isBegun || !content.isEmpty else {
            return "The stream was sent before, and can be walked once."
        }
        guard part?.isBeginning(of: content) ?? true else {
            return "The stream ended early before, and goes on with something else: it can be "
                + "walked once, or brings other bytes each time, for which a new body is to be made."
        }
        part = nil
        isBegun = isBegun || !content.isEmpty
        return nil
    }

    private static func digest(of content: Data) -> Int {
        var hasher = Hasher()
        content.prefix(mostCompared).withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
