import SwiftSyntax

/// The type of what identifies an object.
extension EntityExpansion {
    /// The type of the one property that identifies an object, or a struct of all that do.
    ///
    /// A sub-entity has its parent's, unless it adds to it, which is more than its declaration tells.
    var objectID: String {
        let identity = entity.properties.filter { $0.markers.isIdentity && !$0.markers.isInherited }
        if let parent = entity.arguments.parent {
            return alias(identity.isEmpty ? "\(parent).ObjectID" : Self.untyped)
        }
        // A description written by hand says itself what identifies an object, and in which order.
        let isDescribed = entity.handwritten.contains(.entityDescription)
        guard identity.allSatisfy(isVisible), !isDescribed || identity.count == 1 else {
            return alias(Self.untyped)
        }
        return switch identity.count {
        case 0: alias("Swift.Never")
        case 1: alias("\(identity[0].type.core)")
        // The struct has one of this name itself.
        case _ where identity.contains { $0.name == "identityValues" }: alias(Self.untyped)
        default: composite(identity)
        }
    }

    private static let untyped = "LarderObjectStore.IdentityValues"

    private func alias(_ type: String) -> String {
        "\(entity.access.memberModifier)typealias ObjectID = \(type)"
    }

    private func composite(_ identity: [Property]) -> String {
        let access = entity.access.memberModifier
        let properties = identity.map { "\(access)let \($0.code): \($0.type.spelling)" }
        // Before a parameter's name these would be words of their own.
        let parameters = identity.map { property in
            let isWord = ["let", "var"].contains(property.name)
            return "\(isWord ? property.code : property.label): \(property.type.spelling)"
        }
        let assignments = identity.map { "self.\($0.code) = \($0.code)" }
        let readings = identity.enumerated().map { index, property in
            "let \(property.code) = \(value(of: property))(sqlValue: identityValues[\(index)])"
        }
        let arguments = identity.map { "\($0.label): \($0.code)" }
        let values = identity.map { "self.\($0.code).identityValues" }
        return """
            \(modifiers)struct ObjectID: LarderObjectStore.CompositeIdentity {
                \(properties.joined(separator: "\n    "))

                \(access)init(\(parameters.joined(separator: ", "))) {
                    \(assignments.joined(separator: "\n        "))
                }

                \(access)init?(identityValues: [LarderObjectStore.SQLValue]) {
                    guard identityValues.count == \(identity.count),
                        \(readings.joined(separator: ",\n            "))
                    else { return nil }
                    self.init(\(arguments.joined(separator: ", ")))
                }

                \(access)var identityValues: [LarderObjectStore.SQLValue] {
                    [\(values.joined(separator: ", "))].flatMap(\\.self)
                }
            }
            """
    }

    /// A type that a value is made of: `T?` can't be called, `Optional<T>` can.
    private func value(of property: Property) -> String {
        property.type.isOptional
            ? "Swift.Optional<\(property.type.core)>" : "\(property.type.core)"
    }

    /// Whether the property's type can be seen wherever the entity can, as far as its spelling tells.
    private func isVisible(_ property: Property) -> Bool {
        // A private property of a private type of the struct's own, which is seen in its body alone.
        if property.access == .private { return false }
        return property.access >= entity.access
            || NamedType(property.type.core)?.isStandard(
                "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "String",
                "Double", "Float", "Bool") == true
            || NamedType(property.type.core)?.isFoundation("UUID", "Date", "URL", "Data", "Decimal")
                == true
    }
}

extension NamedType {
    /// Whether this can be Foundation's type of one of the given names.
    fileprivate func isFoundation(_ names: String...) -> Bool {
        names.contains(name) && [[], ["Foundation"]].contains(qualifiers)
    }
}
