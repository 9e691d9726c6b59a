/// Marks a property of a sub-entity that the parent, or an ancestor further up, has described.
///
/// The parent says what there is to say of it: key, default, identity. It may be left out of the
/// sub-entity's struct, whose columns then lack it too.
@attached(peer)
public macro Inherited() = #externalMacro(module: "LarderEntityMacros", type: "InheritedMacro")
