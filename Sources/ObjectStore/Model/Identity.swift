/// Marks a property by which two JSON objects are known to be the same object.
///
/// Several properties may carry it; together they are the identity.
@attached(peer)
public macro Identity() = #externalMacro(module: "LarderEntityMacros", type: "IdentityMacro")
