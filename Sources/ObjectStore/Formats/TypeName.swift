/// The names of types where they outlive a process.
package enum TypeName {
    /// A type's name that is the same in each process, as that of a private one is only in its mangled form.
    package static func lasting(of type: Any.Type) -> String {
        _mangledTypeName(type) ?? String(reflecting: type)
    }
}
