/// Where a response comes from; the list may grow.
public struct ResponseSource: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: UInt8 {
        case network, cache, revalidated, staleCache, store
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The name of the source.
    public var description: String { "\(kind)" }

    /// The server.
    public static var network: ResponseSource { ResponseSource(.network) }
    /// A cache, in which it was fresh.
    public static var cache: ResponseSource { ResponseSource(.cache) }
    /// A cache, or the store, where the server has just said that what is there is still good.
    public static var revalidated: ResponseSource { ResponseSource(.revalidated) }
    /// A cache, in which it was fresh no more: while the server is asked, as the server could not be reached or
    /// failed, or as nobody was to ask it.
    public static var staleCache: ResponseSource { ResponseSource(.staleCache) }
    /// The objects in the store, by its ``FetchPolicy``.
    public static var store: ResponseSource { ResponseSource(.store) }

    /// Whether the server has just been asked.
    var isOfNow: Bool { self == .network || self == .revalidated }
}

/// The receipt for a response that is kept: by it whoever keeps it is told what has become of the content.
protocol ResponseReceipt: AnyObject, Sendable {
    /// Whether the content has been stored already in a way, of which there is a digest, and by the model that the
    /// store has now.
    func isStored(exactlyBy way: Int64) -> Bool

    /// Takes note that the content has been stored.
    func noteStored(by way: Int64)

    /// Gives the response up, as it is of no use to who has asked for it.
    func discard()
}
