extension ImportSkeleton {
    /// Whether a value is made of objects alone, all of them in one part, so that nothing else of it was read.
    package func isWhole<Value: Importable>(of value: JSONValue, as type: Value.Type) -> Bool {
        guard parts.count == 1, ElementTypes.innermost(of: type) is any Entity.Type else {
            return false
        }
        if case .others = parts[0].content { return false }
        return parts[0].offset == value.storage.offset(of: value.node)
    }
}

extension JSONReadings {
    /// Notes that a value has been imported: where its type reads it in a way of its own, nobody knows what of it.
    func noteReading<Value: Importable>(of value: JSONValue, as type: Value.Type) {
        let type = ElementTypes.innermost(of: type)
        if !(type is any Entity.Type), !isDecoded(type) { noteWhole(value) }
    }
}

/// A type whose values are made of nothing but those of another one.
protocol ElementHolder {
    static var elementType: Any.Type { get }
    /// Whether objects are read as it is made, and not when it is asked for them.
    static var readsObjects: Bool { get }
}

extension ElementHolder {
    static var readsObjects: Bool { true }
}

extension Optional: ElementHolder {
    static var elementType: Any.Type { Wrapped.self }
}

extension Array: ElementHolder {
    static var elementType: Any.Type { Element.self }
}

extension Many: ElementHolder {
    static var elementType: Any.Type { Element.self }
    static var readsObjects: Bool { false }
}

extension LossyList: ElementHolder {
    static var elementType: Any.Type { Element.self }
    static var readsObjects: Bool { false }
}

extension One: ElementHolder {
    static var elementType: Any.Type { Destination.self }
    static var readsObjects: Bool { false }
}

/// The types that others hold.
package enum ElementTypes {
    /// The type that is held by all others, or the type itself.
    package static func innermost(of type: Any.Type) -> Any.Type {
        (type as? any ElementHolder.Type).map { innermost(of: $0.elementType) } ?? type
    }

    /// The signature of the options by which values of a type are read where these stand; empty for objects, whose
    /// entities say themselves how they are.
    ///
    /// Of what stands within a wrapper, that one's own options are not looked at.
    package static func signature(of type: Any.Type, by options: DecodingOptions) -> String {
        let own = innermost(of: type)
        if own is any Entity.Type { return "" }
        return ((own as? any Wrapper.Type)?.statedOptions ?? options).signature
    }

    /// Whether a value of a type may have objects in it as they were when it was made.
    static func holdObjects(_ type: Any.Type) -> Bool {
        guard let holder = type as? any ElementHolder.Type else { return true }
        return holder.elementType is any Entity.Type
            ? holder.readsObjects : holdObjects(holder.elementType)
    }

    /// Whether nothing but mapping and decoding makes values of a type.
    static func areMadeByMapping(_ type: Any.Type) -> Bool {
        let type = innermost(of: type)
        return type is any Entity.Type || type is any Wrapper.Type
    }
}
