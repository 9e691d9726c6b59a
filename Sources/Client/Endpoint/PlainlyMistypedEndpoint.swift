/// Properties as in ``MistypedEndpoint``, of literals' types: a protocol has one property of a
/// name.
public protocol PlainlyMistypedEndpoint {
    /// Content that is text.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: String { get }

    /// A whole number without a unit.
    @_disfavoredOverload
    var timeout: Int { get }
}

extension PlainlyMistypedEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: String { "" }

    /// None.
    @_disfavoredOverload
    public var timeout: Int { 0 }
}
