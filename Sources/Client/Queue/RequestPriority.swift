/// The rank of a request among those that wait in a ``RequestQueue``.
///
/// ```swift
/// extension RequestPriority {
///     static let prefetch = RequestPriority(rawValue: -50)
/// }
/// ```
public struct RequestPriority: RawRepresentable, Sendable, Hashable, Comparable {
    /// The rank; the larger goes first.
    public let rawValue: Int

    /// Creates a priority from its rank.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// What can wait, such as what is fetched in advance; -100.
    public static let low = RequestPriority(rawValue: -100)

    /// What is neither; 0.
    public static let normal = RequestPriority(rawValue: 0)

    /// What somebody waits for; 100.
    public static let high = RequestPriority(rawValue: 100)

    /// Whether the left one goes last.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
