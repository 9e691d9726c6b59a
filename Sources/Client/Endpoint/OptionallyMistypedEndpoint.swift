public import Foundation

/// Properties as in ``MistypedEndpoint``, of optional types: a protocol has one property of a name.
public protocol OptionallyMistypedEndpoint {
    /// Content without a type, or none.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: Data? { get }

    /// A time without a unit, or none.
    @_disfavoredOverload
    var timeout: Double? { get }
}

extension OptionallyMistypedEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: Data? { nil }

    /// None.
    @_disfavoredOverload
    public var timeout: Double? { nil }
}
