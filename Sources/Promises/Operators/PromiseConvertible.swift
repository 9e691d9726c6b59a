/// A promise, whatever the type of its value, for handlers whose type has to be found out.
public protocol PromiseConvertible<Value>: Sendable {
    /// The value that the promise has, once it is fulfilled.
    associatedtype Value: Sendable

    /// The promise.
    var promise: Promise<Value> { get }
}

extension Promise: PromiseConvertible {
    /// The promise itself.
    public var promise: Promise<Value> { self }
}
