import LarderObjectStore

extension Error {
    /// Whether it is the content that is of no use to who has asked for it, rather than that nobody waits for it any
    /// more, or the store can't take it.
    var isOfContent: Bool {
        guard let error = self as? ClientError else { return false }
        return !(error.underlying is StoreError) && !(error.underlying is CancellationError)
    }
}
