/// A document that is not read as XML, and why.
public struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A reason for refusing a document; the list may grow.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason in words, for a person.
        public let description: String

        /// The document is not well-formed.
        public static let malformed = Reason(description: "it is not well-formed")
        /// The document has a document type declaration, which could define entities, and is no part of data.
        public static let documentType = Reason(description: "it has a document type declaration")
        /// Elements are nested deeper than ``XMLLimits/depth``.
        public static let tooDeep = Reason(description: "it is nested too deeply")
        /// There are more elements and attributes than ``XMLLimits/nodes``, or more attributes of one element than
        /// are read.
        public static let tooLarge = Reason(description: "it has too many elements")
        /// An element has attributes whose names differ in their code points alone, not in what they look like
        /// (Unicode's canonical equivalence).
        public static let ambiguousNames = Reason(
            description: "the names of two attributes of one element look the same")
        /// The document is in an encoding that is not read, or is not in the one that it claims.
        public static let encoding = Reason(description: "its encoding can't be read")
    }

    /// The reason.
    public let reason: Reason

    /// The line at which reading stopped, counted from 1, which may be behind the mistake; nil where it did not
    /// begin.
    public let line: Int?

    init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    /// A sentence.
    public var description: String {
        "This is not read as XML\(line.map { " from line \($0)" } ?? ""): \(reason)."
    }
}
