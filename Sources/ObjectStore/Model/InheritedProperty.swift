/// An attribute or relationship of an ancestor that the struct of a sub-entity reads.
public struct InheritedProperty: Sendable {
    enum Kind: Sendable {
        case attribute(AttributeType, isOptional: Bool, AllowedValues)
        case one(destination: String, isOptional: Bool)
        case many(destination: String)
    }

    /// The property's name.
    public let name: String
    let kind: Kind

    /// An attribute, read as a Swift type.
    public static func attribute<Value: AttributeValue>(
        _ name: String, _ value: Value.Type
    ) -> InheritedProperty {
        InheritedProperty(
            name: name,
            kind: .attribute(
                Value.attributeType, isOptional: Value.isOptional, Value.allowedValues))
    }

    /// A to-one relationship to the entity of a name.
    public static func one(
        _ name: String, to destination: String, isOptional: Bool = false
    ) -> InheritedProperty {
        InheritedProperty(
            name: name, kind: .one(destination: destination, isOptional: isOptional))
    }

    /// A to-many relationship to the entity of a name.
    public static func many(_ name: String, to destination: String) -> InheritedProperty {
        InheritedProperty(name: name, kind: .many(destination: destination))
    }
}

extension InheritedProperty {
    /// Whether it is read from a column of the row.
    var hasColumn: Bool {
        if case .many = kind { false } else { true }
    }

    /// Returns the obstacle to reading it as what the ancestors have, nil where there is none.
    ///
    /// - Parameter ancestor: The parent with all that it inherits itself.
    func problem(reading ancestor: EntityDescription) -> String? {
        switch kind {
        case .attribute(let type, let isOptional, let values):
            guard let attribute = ancestor.attribute(named: name) else {
                return "\(ancestor.name) has no attribute \(name) to inherit"
            }
            return difference(
                from: attribute.type.rawValue, attribute.isOptional, to: type.rawValue, isOptional)
                ?? excess(of: attribute.allowedValues, over: values)
        case .one(let destination, let isOptional):
            guard let relationship = ancestor.relationship(named: name), !relationship.isToMany
            else { return "\(ancestor.name) has no to-one relationship \(name) to inherit" }
            return difference(
                from: relationship.destination, relationship.isOptional, to: destination,
                isOptional)
        case .many(let destination):
            guard let relationship = ancestor.relationship(named: name), relationship.isToMany
            else { return "\(ancestor.name) has no to-many relationship \(name) to inherit" }
            return difference(from: relationship.destination, false, to: destination, false)
        }
    }

    /// Returns what is wrong where whole numbers are taken by the ancestor that can't be read here.
    private func excess(of inherited: AllowedValues, over own: AllowedValues) -> String? {
        guard let range = own.wholeNumbers, let others = inherited.wholeNumbers,
            range.lowerBound > others.lowerBound || range.upperBound < others.upperBound,
            let expectation = own.expectation
        else { return nil }
        return "\(name) is read as \(expectation), but inherited as"
            + " \(inherited.expectation ?? "any whole number")"
    }

    private func difference(
        from inherited: String, _ isOptional: Bool, to own: String, _ mayBeEmpty: Bool
    ) -> String? {
        if own != inherited { return "\(name) is read as \(own), but inherited as \(inherited)" }
        return isOptional && !mayBeEmpty
            ? "\(name) may be empty where it is inherited from, so it must be optional here" : nil
    }
}
