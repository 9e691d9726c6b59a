import LarderPromises

/// The names of types where they outlive a process.
package enum TypeName {
    private static let known = Guarded<[ObjectIdentifier: String]>([:])

    /// A type's name that is the same in each process.
    ///
    /// That of a private or local one says where its context lies in memory, which is left out: two of one module that
    /// are called alike have one name.
    package static func lasting(of type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = known.withLock({ $0[id] }) { return name }
        var (name, rest) = ("", Substring(String(reflecting: type)))
        while let context = rest.firstRange(of: "(unknown context at $") {
            name += rest[..<context.lowerBound]
            rest = rest[context.upperBound...].drop { $0 != ")" }.dropFirst()
            if rest.first == "." { rest.removeFirst() }
        }
        name += rest
        known.withLock { $0[id] = name }
        return name
    }
}
