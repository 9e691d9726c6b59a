public import Foundation

/// Something that keeps responses for a ``ResponseCache``: what lies behind it is its own.
///
/// Its methods are called on queues of the cache's, which they may block: changes one after the other, reading
/// beside them. What they throw is as if nothing were kept, and what could not go answers nobody: where
/// ``removeAll(from:)`` throws, nothing that is kept does until it has been done, and where another change does that was
/// to remove something, nothing of its resource until ``removeAll(of:)`` has been done. Both are tried again as
/// somebody asks.
///
/// A value that is kept as it is knows as which objects it has been stored. One that is made anew of its properties, as
/// of a file, does so by its ``CachedResponse/imports``; without these it is asked about each time before objects are
/// made of it.
public protocol ResponseCacheProvider: Sendable {
    /// Returns what is kept under a key, its variants and its parts.
    ///
    /// The ids are those by which ``remove(_:of:)`` will name them. What is damaged is left out.
    func responses(for key: ResponseCacheKey) throws -> [CachedResponse]

    /// Keeps a response, in place of some of the same key, and of whichever others there have its
    /// ``CachedResponse/variant``.
    func keep(
        _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [CachedResponse.ID])
        throws

    /// Removes responses of a key.
    func remove(_ ids: [CachedResponse.ID], of key: ResponseCacheKey) throws

    /// Removes whatever is kept of a resource, ``ResponseCacheKey/resource``, for whichever account.
    func removeAll(of resource: [UInt8]) throws

    /// Removes whatever is kept of an origin, ``ResponseCacheKey/origin``, or of all where it is nil.
    func removeAll(from origin: String?) throws

    /// Removes what is of no use any more, by its ``CachedResponse/uselessAfter``.
    func removeExpired(at now: Date) throws
}
