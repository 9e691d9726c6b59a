/// The error of `Promise.any` when every promise was rejected.
public struct NoneFulfilled: Error {
    /// The errors, in the order of the promises.
    public let errors: [any Error]
}
