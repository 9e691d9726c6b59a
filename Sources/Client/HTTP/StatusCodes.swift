import HTTPTypes

/// A set of statuses (RFC 9110, section 15).
///
/// ```swift
/// let acceptedStatuses: StatusCodes = .success.union([304, 404])
/// ```
public struct StatusCodes: Sendable, Hashable {
    private var codes: Set<Int>

    /// 200 to 299.
    public static let success = StatusCodes(200..<300)

    /// All, so that none is a failure.
    public static let all = StatusCodes(100..<1000)

    /// The value that stands for none having been chosen.
    static let absent = StatusCodes(-1..<0)

    /// Creates a set of the codes in a range.
    public init(_ codes: Range<Int>) {
        self.codes = Set(codes.clamped(to: -1..<1000))
    }

    /// Creates a set of the codes in a range.
    public init(_ codes: ClosedRange<Int>) {
        self.codes = Set(codes.clamped(to: -1...999))
    }

    /// The codes of this set and those of another.
    public func union(_ other: StatusCodes) -> StatusCodes {
        var union = self
        union.codes.formUnion(other.codes)
        return union
    }

    /// Whether a code is one of them.
    public func contains(_ code: Int) -> Bool {
        codes.contains(code)
    }
}

extension StatusCodes: ExpressibleByArrayLiteral {
    /// Creates a set of codes, as `[200, 404]`.
    public init(arrayLiteral codes: Int...) {
        self.codes = Set(codes)
    }
}

extension HTTPResponse.Status {
    /// Whether a server says by it, or whoever stands before it, that it is in no state to answer.
    var isOfServerAway: Bool { [500, 502, 503, 504].contains(code) }
}
